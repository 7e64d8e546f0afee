import { readFile } from "node:fs/promises";
import { adminApi } from "../../support/clients/admin-api";
import { expect, test } from "../../support/fixtures/test";
import { expectAccessible } from "../../support/pages/expect-accessible";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { openSpecificationConsole } from "../../support/pages/open-specification-console";
import { signIn } from "../../support/pages/sign-in";

const box = { rate: "Model rate", payment: "I pay", worth: "Worth at list prices" };

test.use({ scene: "calculator" });
test.beforeEach(({ page, gatehouse }) => signIn(page, gatehouse));

test("opens with an answer for every model at once, which sorts", async ({ page }) => {
  await page.goto("/calculator");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("10.00 at rate 0.50 is worth 20.00");
  const table = page.getByRole("table", { name: "What 10.00 buys, by model" });
  const echo = table.getByRole("row", { name: /^sandbox-echo/ });
  await expect(echo).toContainText("20,000,000");
  await expect(echo).toContainText("10,000,000");
  await table.getByRole("button", { name: "Model", exact: true }).click();
  await expect(table.getByRole("columnheader", { name: "Model" })).toHaveAttribute("aria-sort", "ascending");
  await page.getByLabel("Tokens in", { exact: true }).fill("1k");
  await page.getByLabel("Tokens out", { exact: true }).fill("2,000");
  await expect(page.getByText("(1,000 × 1.00 + 2,000 × 2.00) ÷ 1,000,000 × 0.50 = 0.0025")).toBeVisible();
  await expect(page.locator("#main data[value='0.0025']").first()).toBeVisible();
  await expectAccessible(page);
});

test("10.00 at rate 0.2 is worth 50.00, and 50.00 of worth costs 10.00; the address shows the same", async ({
  page,
}) => {
  await page.goto("/calculator?rate=0.2");
  await expect(page.getByLabel(box.worth)).toHaveValue("50.00");
  await expect(page.getByRole("status").filter({ hasText: "10.00 ÷ 0.20 = 50.00" })).toBeVisible();

  await page.getByLabel(box.worth).fill("50");
  await expect(page.getByLabel(box.payment)).toHaveValue("10.00");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("50.00 at rate 0.20 costs 10.00");
  await expect(page.getByRole("table", { name: "What 50.00 at list prices costs, by model" })).toBeVisible();
  await page.reload();
  await expect(page.getByLabel(box.worth)).toHaveValue("50");
  await expect(page.getByLabel(box.payment)).toHaveValue("10.00");
});

test("amounts are understood as people type them, and what can mean two is refused", async ({ page }) => {
  await page.goto("/calculator?rate=0.5");
  for (const [typed, meant] of [
    ["$10", "= 10.00 USD"],
    ["1.234,50", "= 1,234.50 USD"],
    ["10,00", "= 10.00 USD"],
  ] as const) {
    await page.getByLabel(box.payment).fill(typed);
    await expect(page.getByText(meant)).toBeVisible();
  }
  await page.getByLabel(box.payment).fill("1.234");
  await page.getByLabel(box.payment).blur();
  await expect(page.getByText("This can mean two amounts. Write 1234.00 or 1.2340.")).toBeVisible();
});

test("a mix of calls costs so much a day and a month, and the balance lasts so long", async ({ page }) => {
  await page.goto("/calculator?model=sandbox-echo");
  const line = page.getByRole("group", { name: "sandbox-echo" });
  await line.getByLabel("Calls a day").fill("1,000");
  await line.getByLabel("Tokens in").fill("1k");
  await line.getByLabel("Tokens out").fill("500");
  // (1,000 × 1.00 + 500 × 2.00) ÷ 1,000,000 × 0.5 = 0.001 a call.
  await expect(line.locator("data[value='1.00']")).toBeVisible();
  await expect(page.locator("#main dd data[value='30.00']")).toBeVisible();
  await expect(
    page.getByRole("heading", { name: "With these calls, the balance lasts 10 days" }),
  ).toBeVisible();
  await page.getByLabel("To last until").fill("2000-01-01");
  await expect(page.getByText("Choose a day from today on.")).toBeVisible();
  await line.getByLabel("Calls a day").fill("many");
  await expect(page.getByText("The sum needs a cost on every line.")).toBeVisible();
  await expectNoAxeViolations(page);
  await page.getByRole("button", { name: "Remove sandbox-echo" }).click();
  await expect(page.getByText("Add a model to see what its calls cost.")).toBeVisible();
});

test("each model takes the amounts that it is priced by: cached input, or units", async ({ page }) => {
  await page.goto("/calculator?model=sandbox-echo");
  const echo = page.getByRole("group", { name: "sandbox-echo" });
  await echo.getByLabel("Calls a day").fill("1,000");
  await echo.getByLabel("Tokens in").fill("600");
  await echo.getByLabel("Cached in").fill("400");
  await echo.getByLabel("Tokens out").fill("500");
  // (600 + 400) × 1.00 + 500 × 2.00 per 1,000,000 × 0.5 = 0.001 a call.
  await expect(echo.locator("data[value='1.00']")).toBeVisible();

  await page.getByRole("button", { name: "Model", exact: true }).last().click();
  await page.getByLabel("Model of this line").last().selectOption("sandbox-transcribe");
  const minutes = page.getByRole("group", { name: "sandbox-transcribe" });
  await expect(minutes.getByLabel("Tokens in")).toHaveCount(0);
  await expect(minutes.getByLabel("Cached in")).toHaveCount(0);
  await minutes.getByLabel("Calls a day").fill("100");
  await minutes.getByLabel("Minutes a call").fill("ten");
  await expect(minutes.getByText("Enter a number, such as 10.00.")).toBeVisible();
  await expect(page.getByText("The sum needs a cost on every line.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Day as CSV" })).toHaveCount(0);
  await expectNoAxeViolations(page);
  // 1.5 × 0.006 × 0.5 = 0.0045 a call.
  await minutes.getByLabel("Minutes a call").fill("1.5");
  await expect(minutes.locator("data[value='0.45']")).toBeVisible();

  await page.getByRole("button", { name: "Model", exact: true }).last().click();
  await page.getByLabel("Model of this line").last().selectOption("sandbox-image hd");
  const images = page.getByRole("group", { name: "sandbox-image hd" });
  await images.getByLabel("Calls a day").fill("10");
  await images.getByLabel("Megapixels a call").fill("1.048576");
  await expect(images.getByTitle("0.4194304", { exact: true })).toBeVisible();
  await expect(page.locator("#main dd").getByTitle("1.8694304", { exact: true })).toBeVisible();
  await expect(
    page.getByRole("heading", { name: "With these calls, the balance lasts 5 days" }),
  ).toBeVisible();

  await page.reload();
  await expect(echo.getByLabel("Cached in")).toHaveValue("400");
  await expect(images.getByLabel("Megapixels a call")).toHaveValue("1.048576");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Day as CSV" }).click(),
  ]);
  const text = await readFile(await download.path(), "utf8");
  expect(text).toContain("sandbox-echo,1000,600,400,500,,,0.50,1.00,2.00,,0.001,1.00,30.00\r\n");
  expect(text).toContain(
    "sandbox-image hd,10,,,,1.048576,megapixel,0.50,,,0.08,0.04194304,0.4194304,12.582912",
  );
  await expectAccessible(page);
});

test("a mix in a link from before cached input opens with none", async ({ page }) => {
  await page.goto(`/calculator?mix=${encodeURIComponent("1,000\t1,000\t500\tsandbox-echo")}`);
  const line = page.getByRole("group", { name: "sandbox-echo" });
  await expect(line.getByLabel("Cached in")).toHaveValue("0");
  await expect(line.locator("data[value='1.00']")).toBeVisible();
});

test("a link opens as computed, beside today's rates", async ({ page, gatehouse }) => {
  await page.goto("/calculator?model=sandbox-slow");
  await page.evaluate(() => {
    Object.assign(navigator.clipboard, {
      writeText: async (text: string) => Object.assign(window, { copied: text }),
    });
  });
  await page.getByRole("button", { name: "Copy link" }).click();
  await expect(page.getByRole("button", { name: "Copied" })).toBeVisible();
  const link = await page.evaluate(() => (window as unknown as { copied: string }).copied);

  await page.goto(link);
  await expect(page.getByText("No rate or price has changed since then.")).toBeVisible();
  const before = await adminApi(gatehouse).call<{ rate: string }>("GET", "/models/sandbox-slow");
  expect(before.rate).toBe("0.50");
  await adminApi(gatehouse).call("POST", "/models/sandbox-slow", { rate: "0.25" });
  await page.goto(link);
  await expect(page.getByText("Since then rate or price changed for sandbox-slow.")).toBeVisible();
  const row = page.getByRole("row", { name: /^sandbox-slow/ });
  await expect(row.locator("data[value='20.00']")).toBeVisible();
  await expect(row.locator("data[value='40.00']")).toBeVisible();
  await expect(page.getByText("As computed: 10.00 ÷ 0.50 = 20.00")).toBeVisible();
  await expectNoAxeViolations(page);
  await page.getByRole("button", { name: "Show today’s only" }).click();
  await expect(page.getByText("Since then rate or price changed")).toHaveCount(0);
  await adminApi(gatehouse).call("POST", "/models/sandbox-slow", { rate: "0.5" });
});

test("marks a tried-out rate or price, and takes it back", async ({ page }) => {
  await page.goto("/calculator?model=sandbox-echo");
  await page.getByLabel(box.rate).fill("0.25");
  await expect(page.getByLabel(box.worth)).toHaveValue("40.00");
  await page.getByText("What if its list price changes?").click();
  await page.getByLabel("Price of 1,000,000 input tokens").fill("2");
  await expect(page.getByText("What if: this isn’t the present rate or price.")).toBeVisible();
  await expectNoAxeViolations(page);
  await page.getByRole("button", { name: "Use the present ones" }).click();
  await expect(page.getByLabel(box.rate)).toHaveValue("0.50");
});

test("the comparison is downloaded with every decimal", async ({ page }) => {
  await page.goto("/calculator?payment=0.1&model=sandbox-echo&rate=0.3");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "CSV", exact: true }).click(),
  ]);
  const text = await readFile(await download.path(), "utf8");
  // With a byte order mark, without which spreadsheets garble names that are not ASCII.
  expect(text).toMatch(/^\ufeffmodel,rate,input_per_1m,output_per_1m,payment,worth,/);
  expect(text).toContain("sandbox-echo,0.30,1.00,2.00,0.10,0.333333333,");
});

test("marks rounded figures, and calculates with the API's maximum", async ({ page }) => {
  await page.goto("/calculator?payment=0.1&rate=0.3");
  const formula = page.getByRole("status").filter({ hasText: "÷" });
  await expect(formula).toHaveText("0.10 ÷ 0.30 ≈ 0.333333333");
  await expect(page.getByText("Rounded once, half away from zero, to nine decimals.")).toBeVisible();
  await page.getByLabel(box.rate).fill("0.5");
  await page.getByLabel(box.payment).fill("9,000,000,000");
  await expect(formula).toHaveText("9,000,000,000.00 ÷ 0.50 = 18,000,000,000.00");
  await page.getByLabel(box.payment).fill("9000000001");
  await page.getByLabel(box.payment).blur();
  await expect(page.getByText("Enter at most 9,000,000,000.").first()).toBeVisible();
});

test("explains an invalid number and keeps it as typed", async ({ page }) => {
  await page.goto("/calculator?payment=10");
  for (const [typed, words] of [
    ["0", /must be greater than 0/],
    ["", /Model rate is required/],
    ["-1", /Enter 0 or more/],
  ] as const) {
    await page.getByLabel(box.rate).fill(typed);
    await page.getByLabel(box.rate).blur();
    await expect(page.getByText(words)).toBeVisible();
  }
  await page.getByLabel(box.payment).fill("ten");
  await page.getByLabel(box.payment).blur();
  await expect(page.getByText("Enter a number, such as 10.00.")).toBeVisible();
  await expect(page.getByLabel(box.payment)).toHaveValue("ten");
  await expect(page.getByText(/NaN|Infinity/)).toHaveCount(0);
  await expectNoAxeViolations(page);
});

test("it also calculates beside a gateway that lists no models", async ({ browser, elsewhere }) => {
  const { page, stop } = await openSpecificationConsole(browser, elsewhere);
  await page.goto("/calculator?payment=10.00&rate=0.2");
  await expect(page.getByLabel(box.worth)).toHaveValue("50.00");
  await expect(page.getByLabel("Model", { exact: true })).toHaveCount(0);
  await stop();
});
