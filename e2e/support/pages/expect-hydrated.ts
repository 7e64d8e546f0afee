import { expect, type Page } from "@playwright/test";

/** Waits until the page's buttons react. */
export async function expectHydrated(page: Page): Promise<void> {
  await expect(async () => {
    await page.getByRole("button", { name: /^Signed in as/ }).click();
    await expect(page.getByRole("menuitem", { name: "Sign out" })).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await page.keyboard.press("Escape");
}
