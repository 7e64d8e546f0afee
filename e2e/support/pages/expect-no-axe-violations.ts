import { expect, type Page } from "@playwright/test";
import axe, { type RunOptions } from "axe-core";

/** Rules whose result depends on the color scheme. The page's structure is the same in both. */
const COLOR_RULES = ["color-contrast", "link-in-text-block"];

/**
 * Checks the page in its current state: all rules in light mode, and the color rules in dark mode too. Leaves it in
 * light mode.
 */
export async function expectNoAxeViolations(page: Page): Promise<void> {
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    // The console sets its theme with a class. The API reference follows the color scheme.
    await expect(page.locator(`html.${colorScheme}, html:not([class])`)).toBeAttached();
    // A page that is streamed gets its title a moment after its content.
    await expect(page).toHaveTitle(/./);
    const found = await findViolations(page, colorScheme === "dark" ? COLOR_RULES : null);
    expect(found, `in ${colorScheme}`).toEqual([]);
  }
}

/** Runs axe within the page, where only what it found is written out. No screen has frames. */
async function findViolations(page: Page, rules: string[] | null): Promise<string[]> {
  // Half a megabyte, which takes as long to compile as all rules to run.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  const options: RunOptions = {
    resultTypes: ["violations"],
    selectors: false,
    // No rule that is on by default reads style sheets.
    preload: { assets: ["media"] },
    ...(rules && { runOnly: { type: "rule", values: rules } }),
  };
  return page.evaluate(async (chosen) => {
    const { violations } = await window.axe.run(document, chosen);
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join("\n  ")}`);
  }, options);
}

declare global {
  interface Window {
    axe: typeof axe;
  }
}
