import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

/** Rules whose result depends on the color scheme. The page's structure is the same in both. */
const COLOR_RULES = ["color-contrast", "link-in-text-block"];

/** Injected in place of axe's source, half a megabyte, if the page already has it. */
const NOTHING = "0";

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
    // Legacy mode runs within the page. No screen has frames, and a second page per run would take twice as long.
    const isLoaded = await page.evaluate(() => "axe" in window);
    const axe = new AxeBuilder({ page, ...(isLoaded && { axeSource: NOTHING }) }).setLegacyMode();
    const { violations } = await axe
      .options({
        resultTypes: ["violations"],
        ...(colorScheme === "dark" && { runOnly: { type: "rule", values: COLOR_RULES } }),
      })
      .analyze();
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join("\n  ")}`);
    expect(found, `in ${colorScheme}`).toEqual([]);
  }
}
