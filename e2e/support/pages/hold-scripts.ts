import { expect, type Page } from "@playwright/test";

/** Keeps the page's scripts waiting, until the function that it returns is called. */
export async function holdScripts(page: Page): Promise<() => Promise<void>> {
  const waiting: (() => void)[] = [];
  let isHeld = true;
  await page.route(/\/_next\/static\/chunks\/.*\.js/, async (route) => {
    if (isHeld) await new Promise<void>((resolve) => waiting.push(resolve));
    await route.continue();
  });
  return async () => {
    await expect.poll(() => waiting.length).toBeGreaterThan(0);
    isHeld = false;
    for (const go of waiting.splice(0)) go();
  };
}
