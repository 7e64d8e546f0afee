import type { Page } from "@playwright/test";

declare global {
  interface Window {
    countClick?: () => void;
  }
}

/**
 * Counts from now on what a person clicks on a page, also after a navigation; choosing from a native list is one click.
 * Typing and keys aren't counted.
 * @returns the count so far.
 */
export async function countClicks(page: Page): Promise<() => number> {
  let clicks = 0;
  await page.exposeFunction("countClick", () => void clicks++);
  const listen = () => {
    addEventListener("pointerdown", () => window.countClick?.(), true);
    addEventListener(
      "change",
      ({ target }) => target instanceof HTMLSelectElement && window.countClick?.(),
      true,
    );
  };
  await page.addInitScript(listen);
  await page.evaluate(listen);
  return () => clicks;
}
