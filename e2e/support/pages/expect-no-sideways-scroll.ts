import { expect, type Page } from "@playwright/test";
import { PHONE } from "./viewports";

/** Expects that no part of the page is wider than the window, once it has followed a change of the window. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const readOverhang = () =>
    page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      return scrollWidth - clientWidth;
    });
  await expect.poll(readOverhang).toBeLessThanOrEqual(0);
}

/** The same in a window as wide as a phone. The window's size is restored. */
export async function expectFitsPhone(page: Page): Promise<void> {
  const size = page.viewportSize();
  await page.setViewportSize(PHONE);
  await expectNoSidewaysScroll(page);
  if (size) await page.setViewportSize(size);
}
