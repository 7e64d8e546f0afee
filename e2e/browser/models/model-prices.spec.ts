import { expect, test } from "../../support/fixtures/test";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { expectNoSidewaysScroll } from "../../support/pages/expect-no-sideways-scroll";
import { signIn } from "../../support/pages/sign-in";
import { PHONE } from "../../support/pages/viewports";

test.use({ scene: "model prices" });
test.beforeEach(({ page, gatehouse }) => signIn(page, gatehouse));

test("a price of another unit, and one far from the present, are asked about before they are saved", async ({
  page,
}) => {
  await page.goto("/models/sandbox-echo");
  await expect(page.getByText("Nobody called this model last month.")).toBeVisible();
  await expect(page.getByText("Check before you save")).toHaveCount(0);
  await page.getByLabel("Input list price").fill("0.000001");
  await expect(page.getByText(/is it the price per token\? It is for 1,000,000\./)).toBeVisible();
  await page.getByLabel("Model rate").fill("50");
  await expect(page.getByText("The model rate is 100 × the present one. Is that right?")).toBeVisible();
  await expectNoAxeViolations(page);
  await page.setViewportSize(PHONE);
  await expectNoSidewaysScroll(page);
  await expectNoAxeViolations(page);
  await page.getByRole("button", { name: /^Discard/ }).click();
  await expect(page.getByText("Check before you save")).toHaveCount(0);
});

test("a price by the unit shows what it means, asks about another unit and prices last month", async ({
  page,
}) => {
  await page.goto("/models/sandbox-video");
  await expect(page.getByText("60 seconds cost")).toBeVisible();
  await expect(page.getByText("Nobody called this model last month.")).toBeVisible();
  const price = page.getByLabel("List price", { exact: true });
  const saved = Number(await price.inputValue());
  await price.fill(String(saved * 60));
  await expect(page.getByText(/is it the price of a minute\? It is for one second\./)).toBeVisible();
  await expectNoAxeViolations(page);
  await page.setViewportSize(PHONE);
  await expectNoSidewaysScroll(page);
  await page.getByRole("button", { name: /^Discard/ }).click();
  await expect(page.getByText("Check before you save")).toHaveCount(0);
});
