import type { Locator, Page } from "@playwright/test";

/** The field with exactly this label. */
export function findField(page: Page, label: string): Locator {
  return page.getByLabel(label, { exact: true });
}

/** The rows with a text that is exactly this one, such as an id. */
export function findRow(page: Page, text: string): Locator {
  return page.getByRole("row").filter({ has: page.getByText(text, { exact: true }) });
}

/** The button that saves the form, whatever it says that it saves. */
export function findSaveButton(page: Page): Locator {
  return page.getByRole("button", { name: /^Save/ });
}
