import type { Locator, Page } from "@playwright/test";
import { adminApi } from "../../support/clients/admin-api";
import { expect, test } from "../../support/fixtures/test";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { signIn } from "../../support/pages/sign-in";

test.use({ scene: "limit-plans", permissions: ["clipboard-read", "clipboard-write"] });

const rowOf = (page: Page, name: RegExp): Locator =>
  page.getByRole("row").filter({ has: page.getByRole("rowheader", { name }) });

test("the defaults of every model are the first row, and reach every project once they are reviewed and saved", async ({
  page,
  gatehouse,
}) => {
  await signIn(page, gatehouse);
  await page.goto("/projects/all/limits");
  const every = rowOf(page, /^Defaults · every model/);
  await every.getByRole("gridcell").first().click();
  await page.keyboard.type("450");
  await page.keyboard.press("Enter");
  await expect(page.locator("[data-footer]").getByText("1 change in the defaults")).toBeVisible();
  await page.getByRole("button", { name: "Review 1 change" }).click();
  await expect(page.getByText(/every model · reaches \d+ rows/)).toBeVisible();
  await page.getByRole("button", { name: "Save 1 change" }).click();
  await expect(every.getByRole("gridcell").first()).toHaveText("450");
  await expect(
    rowOf(page, /^sandbox-echo/)
      .getByRole("gridcell")
      .first(),
  ).toHaveText("450");
  await expectNoAxeViolations(page);
  const saved = await adminApi(gatehouse).call("GET", "/rate_limits/defaults/organization");
  expect(saved).toMatchObject({ max_requests_per_1_minute: 450 });
});
