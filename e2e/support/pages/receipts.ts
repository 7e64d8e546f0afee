import type { Locator, Page } from "@playwright/test";

/** The costs in the receipts of answers. A receipt has one as soon as the ledger has. */
export function receiptCosts(page: Page): Locator {
  return page.locator("footer dl > div", { has: page.getByText("Cost", { exact: true }) }).locator("data");
}

/** Opens the rest of the last receipt: its arithmetic, how the answer ended, the request id. */
export async function openDetails(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Details", exact: true, expanded: false }).last().click();
}
