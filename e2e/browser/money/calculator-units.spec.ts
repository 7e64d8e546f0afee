import { expect, test } from "../../support/fixtures/test";
import { expectAccessibleOnPhone } from "../../support/pages/expect-accessible";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { signIn } from "../../support/pages/sign-in";

test.beforeEach(({ page, gatehouse }) => signIn(page, gatehouse));

test("models that are priced by the unit stand in the same table, and their price is tried out", async ({
  page,
}) => {
  await page.goto("/calculator?model=sandbox-image");
  const row = page.getByRole("row", { name: /^sandbox-image (?!hd)/ });
  // 10.00 ÷ (0.04 × 0.5) a megapixel.
  await expect(row).toContainText("500 megapixels");
  await page.getByLabel("Units", { exact: true }).fill("4");
  await expect(page.getByText("One call of sandbox-image: 4 megapixels × 0.04 × 0.50 = 0.08")).toBeVisible();
  await page.getByText("What if its list price changes?").click();
  await page.getByLabel("Price of one megapixel").fill("0.08");
  await expect(row).toContainText("250 megapixels");
  await expect(page.getByText("What if: this isn’t the present rate or price.")).toBeVisible();
  await page.getByLabel("Units", { exact: true }).fill("");
  await expect(page.getByRole("columnheader", { name: "Cost per call" })).toHaveCount(0);
  await expectNoAxeViolations(page);
  await page.reload();
  await expect(page.getByLabel("Price of one megapixel")).toHaveValue("0.08");
  await expectAccessibleOnPhone(page);
});
