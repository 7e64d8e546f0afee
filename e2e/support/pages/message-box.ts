import type { Locator, Page } from "@playwright/test";

/** The playground's field for the next message. */
export function messageBox(page: Page): Locator {
  return page.getByRole("textbox", { name: "Message", exact: true });
}

/** Sends a message from the playground with the keyboard. */
export async function sendMessage(page: Page, text: string): Promise<void> {
  await messageBox(page).fill(text);
  await page.keyboard.press("Enter");
}
