/** A window on a desk, in CSS px. `playwright.config.ts` has the same one, for tests that set no other. */
export const DESK = { width: 1440, height: 900 };

/** A small laptop's window, in CSS px. */
export const LAPTOP = { width: 1280, height: 800 };

/** A phone's window, in CSS px: the narrowest that each screen has to fit. */
export const PHONE = { width: 390, height: 844 };
