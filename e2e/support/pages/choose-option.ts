import { expect, type Page } from "@playwright/test";

/** Chooses in a filter, which is a select, or a list that is searched once it has more than twenty options. */
export async function chooseOption(page: Page, filter: string, option: string): Promise<void> {
  const select = page.getByLabel(filter, { exact: true }).and(page.locator("select"));
  const button = page.getByRole("button", { name: `${filter}: ` });
  // It becomes the other form when its options arrive.
  await expect(async () => {
    if (await select.isVisible()) return void (await select.selectOption(option, { timeout: 2_000 }));
    await button.click({ timeout: 2_000 });
    await page.getByRole("searchbox", { name: `Search ${filter.toLowerCase()}` }).fill(option);
    await page.getByRole("menuitemradio", { name: option }).first().click({ timeout: 5_000 });
  }).toPass();
}
