import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

/** The rules that a color scheme can break: what the page is made of is the same in both. */
const COLOR_RULES = ["color-contrast", "link-in-text-block"];

/** In the place of axe's half a megabyte, where the page has it already. */
const NOTHING = "0";

/** What the page shows now: every rule in light, those of color in dark too. Leaves it in light. */
export async function expectNoAxeViolations(page: Page): Promise<void> {
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    // The console keeps its theme in a class, the reference follows the scheme alone.
    await expect(page.locator(`html.${colorScheme}, html:not([class])`)).toBeAttached();
    // Legacy mode runs in the page alone: no screen has frames, and a second page for each run doubles its time.
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
