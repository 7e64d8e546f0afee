import { rateLimitFields } from "@/lib/contract/calls/rate-limit-table";
import { expect, test } from "../../support/fixtures/test";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { expectNoSidewaysScroll } from "../../support/pages/expect-no-sideways-scroll";
import { signIn } from "../../support/pages/sign-in";
import { PHONE } from "../../support/pages/viewports";

test("all limits are there at 1,280 px, and a narrower table names those that it leaves out", async ({
  page,
  gatehouse,
}) => {
  await signIn(page, gatehouse);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto("/rate-limits");
  const table = page.getByRole("table", { name: /^Rate limits of project/ });
  await expect(table.getByRole("columnheader")).toHaveCount(2 + rateLimitFields.length);
  await expect(page.getByText(/^Not shown: /).filter({ visible: true })).toHaveCount(0);
  await expectNoSidewaysScroll(page);

  await page.setViewportSize({ width: 1100, height: 800 });
  await expect(page.getByText(/^Not shown: /).filter({ visible: true })).toHaveCount(1);
  await expectNoAxeViolations(page);
  await page.getByRole("button", { name: "Show these columns" }).filter({ visible: true }).click();
  await expect(table.getByRole("columnheader")).toHaveCount(2 + rateLimitFields.length);
  await expectNoSidewaysScroll(page);

  await page.reload();
  await page.setViewportSize(PHONE);
  const shown = page.getByText(/^Not shown: .*, /).filter({ visible: true });
  await expect(shown).toBeVisible();
  await page.getByRole("button", { name: "Show these columns" }).filter({ visible: true }).click();
  await expect(shown).toBeHidden();
  await expectNoSidewaysScroll(page);
});
