import { expect, type Locator, type Page } from "@playwright/test";

/** Chooses a pane's model in the playground by typing its id, once the page's script has loaded. */
export async function chooseModel(pane: Page | Locator, model: string): Promise<void> {
  const field = pane.getByLabel("Model", { exact: true });
  await field.and(pane.locator("input")).fill("");
  await field.fill(model);
  await field.press("Enter");
  await expect(field).toHaveValue(model);
  await expect(field).toHaveAttribute("aria-expanded", "false");
}
