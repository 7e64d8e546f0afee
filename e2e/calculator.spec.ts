import { expectNoAxeViolations } from "./support/expect-no-axe-violations";
import { expectNoSidewaysScroll } from "./support/expect-no-sideways-scroll";
import { openSpecificationConsole } from "./support/open-specification-console";
import { signIn } from "./support/sign-in";
import { expect, test } from "./support/test";

const box = { rate: "Model rate", payment: "Payment", worth: "Worth at list prices" };

test.beforeEach(({ page, gatehouse }) => signIn(page, gatehouse));

test("10.00 at rate 0.2 is worth 50.00, and 50.00 of worth costs 10.00; a link shows the same", async ({
  page,
}) => {
  await page.goto("/calculator");
  await expectNoAxeViolations(page);
  await page.getByLabel(box.rate).fill("0.2");
  await page.getByLabel(box.payment).fill("10.00");
  await expect(page.getByLabel(box.worth)).toHaveValue("50.00");
  await expect(page.getByRole("status").filter({ hasText: "10.00 ÷ 0.2 = 50.00" })).toBeVisible();

  await page.getByLabel(box.worth).fill("50");
  await expect(page.getByLabel(box.payment)).toHaveValue("10.00");
  await expect(page).toHaveURL(/worth=50&rate=0.2$/);
  await page.reload();
  await expect(page.getByLabel(box.payment)).toHaveValue("10.00");
  await page.goto("/calculator?payment=10.00&rate=0.2");
  await expect(page.getByLabel(box.worth)).toHaveValue("50.00");
});

test("a model fills in its rate, and shows the tokens a payment buys and the cost of a call", async ({
  page,
}) => {
  await page.goto("/calculator?payment=10");
  await page.getByLabel("Model", { exact: true }).selectOption("sandbox-echo");
  await expect(page.getByLabel(box.worth)).toHaveValue("20.00");
  await expect(page.getByText("20,000,000")).toBeVisible();
  await expect(page.getByText("10,000,000")).toBeVisible();
  await page.getByLabel("Tokens in").fill("1k");
  await page.getByLabel("Tokens out").fill("2,000");
  await expect(page.locator("data[value='0.005']")).toBeVisible();
  await expect(page.locator("data[value='0.0025']")).toBeVisible();
  await expectNoAxeViolations(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoSidewaysScroll(page);
});

test("a link that names a model fills in its rate; nothing that was not typed looks like a value", async ({
  page,
}) => {
  await page.goto("/calculator?model=sandbox-echo");
  await expect(page.getByLabel(box.rate)).toHaveValue("0.50");
  await expect(page.getByLabel("Tokens in")).toHaveValue("");
  for (const input of await page.locator("#main input").all())
    expect(await input.getAttribute("placeholder")).toBeNull();
  await expect(page.locator("#main data")).toHaveCount(0);
  await expect(page.getByText("Enter how many tokens go in and come out")).toBeVisible();
  await expectNoAxeViolations(page);
  await page.getByLabel("Tokens out").fill("2k");
  await expect(page.locator("data[value='0.002']")).toBeVisible();
  await page.getByLabel(box.rate).fill("");
  await expect(page.getByLabel(box.rate)).toHaveValue("");
});

test("what is rounded says so, and the most the API takes can be calculated with", async ({ page }) => {
  await page.goto("/calculator?payment=0.1&rate=0.3");
  const formula = page.getByRole("status").filter({ hasText: "÷" });
  await expect(formula).toHaveText("0.10 ÷ 0.3 ≈ 0.333333333");
  await expect(page.getByText("Rounded to nine decimals.")).toBeVisible();
  await page.getByLabel(box.rate).fill("0.5");
  await page.getByLabel(box.payment).fill("9,000,000,000");
  await expect(formula).toHaveText("9,000,000,000.00 ÷ 0.5 = 18,000,000,000.00");
  await expect(page.getByText("Rounded to nine decimals.")).toHaveCount(0);
  await page.getByLabel(box.payment).fill("9000000001");
  await page.getByLabel(box.payment).blur();
  await expect(page.getByText("Enter at most 9,000,000,000.").first()).toBeVisible();
});

test("what is no number is said in words and stays as typed", async ({ page }) => {
  await page.goto("/calculator?payment=10");
  await page.getByLabel(box.rate).fill("0");
  await page.getByLabel(box.rate).blur();
  await expect(page.getByText(/must be greater than 0/)).toBeVisible();
  await page.getByLabel(box.payment).fill("ten");
  await page.getByLabel(box.payment).blur();
  await expect(page.getByText("Enter a number, such as 10.00.")).toBeVisible();
  await expect(page.getByLabel(box.payment)).toHaveValue("ten");
  await expect(page.getByText("NaN")).toHaveCount(0);
  await expectNoAxeViolations(page);
});

test("it also calculates beside a gateway that lists no models", async ({ browser, elsewhere }) => {
  const { page, stop } = await openSpecificationConsole(browser, elsewhere);
  await page.goto("/calculator?payment=10.00&rate=0.2");
  await expect(page.getByLabel(box.worth)).toHaveValue("50.00");
  await expect(page.getByLabel("Model", { exact: true })).toHaveCount(0);
  await stop();
});
