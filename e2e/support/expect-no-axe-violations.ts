import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

/** The rules that a color scheme can break; the page's structure is the same in both. */
const COLOR_RULES = ["color-contrast", "link-in-text-block"];

/** Replaces axe's half a megabyte of source where the page already has it. */
const NOTHING = "0";

/**
 * Checks the page as it is: all rules in light mode, and those about color in dark mode, too. Leaves it in light mode.
 */
export async function expectNoAxeViolations(page: Page): Promise<void> {
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    // The console sets its theme by a class; the reference follows the color scheme.
    await expect(page.locator(`html.${colorScheme}, html:not([class])`)).toBeAttached();
    // Legacy mode runs within the page: no screen has frames, and a second page for each run would double its time.
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
