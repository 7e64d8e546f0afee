import type { Page } from "@playwright/test";

/** Signs in by pasting a key, as people do, and waits for the console. */
export async function signIn(page: Page, key: string): Promise<void> {
  await page.goto("/sign-in?with=key");
  await page.getByRole("textbox", { name: "Admin key" }).fill(key);
  await page.keyboard.press("Enter");
  await page.waitForURL((url) => url.pathname !== "/sign-in");
}
