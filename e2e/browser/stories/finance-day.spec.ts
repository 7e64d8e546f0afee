import { adminApi } from "../../support/clients/admin-api";
import { expect, test } from "../../support/fixtures/test";
import { expectAccessible } from "../../support/pages/expect-accessible";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { openAsMember } from "../../support/pages/open-as-member";
import { runScript } from "../../support/programs/run-script";
import type { Gatehouse } from "../../support/programs/start-gatehouse";
import { writeLastMonth } from "../../support/stored-data/past-month";

test.use({ scene: "finance day", environment: { GATEHOUSE_OPENING_BALANCE: "0" } });

/**
 * Sets up a month with a payment and two calls.
 * @returns that month, and a function that makes another call as a program and returns its output.
 */
async function setScene(gatehouse: Gatehouse) {
  const api = adminApi(gatehouse);
  const project = await api.createProject("Support bot");
  const month = writeLastMonth(gatehouse, project.id);
  const { value } = await api.createKey(project.id, "production");
  return { month, callOnce: () => runScript("call-model", gatehouse.baseUrl, value, "sandbox-echo") };
}

test("a finance person's day: a payment, a charge explained, an invoice compared, the month closed, the books proven", async ({
  page,
  gatehouse,
}) => {
  test.slow();
  const { month: written, callOnce } = await setScene(gatehouse);
  const { id: month, name } = written;
  await openAsMember(page.context(), gatehouse, { email: "fay@example.com", name: "Fay", role: "finance" });

  await page.goto("/balance?open=new-payment");
  await page.getByLabel("Amount").fill("1.234,50");
  await page.getByLabel("Reference").fill("Invoice 12");
  await page.getByRole("dialog").getByRole("button", { name: "Record payment" }).click();
  await expect(page.getByText("It can be spent now.")).toBeVisible();
  expect(JSON.parse(callOnce())).toMatchObject({ status: 200 });

  await page.goto("/balance?kind=charge&text=sandbox-echo");
  await page.getByRole("link", { name: "Charge", exact: true }).first().click();
  await expect(page.getByText("0.0000045").first()).toBeVisible();
  await expect(page.getByText("Balance before and after")).toBeVisible();

  await page.goto(`/statements/compare?month=${month}`);
  const invoice = page.getByRole("textbox", { name: "Invoice as CSV" });
  await invoice.fill(`date;model;cost\n${month}-31;sandbox-echo;ten\n`);
  await expect(page.getByText("Line 2, cost: “ten”: Enter a number, such as 10.00.")).toBeVisible();
  await expectNoAxeViolations(page);
  await invoice.fill(
    `date;model;cost\n${month}-28;sandbox-echo;1,50\n1999-01-01;sandbox-echo;9\n${month}-02;sandbox-chat;2,00\n`,
  );
  await expect(page.getByText("Charged 0.50 USD more than was invoiced")).toBeVisible();
  await expect(page.getByText("1 row of other months left out.")).toBeVisible();
  await expect(page.getByRole("row", { name: /sandbox-echo/ })).toContainText("+0.50");
  await expectAccessible(page);
  await page.getByLabel("Amount", { exact: true }).selectOption("Choose a column");
  await expect(page.getByText("Choose the columns that name the model and the amount.")).toBeVisible();

  await page.goto(`/statements/${month}`);
  await page.getByRole("button", { name: "Close month" }).click();
  await page.getByRole("button", { name: `Close ${name}` }).click();
  await expect(page.getByText(/^\d+ \w+ \d{4}, .* UTC by Fay$/)).toBeVisible();
  await page.emulateMedia({ media: "print" });
  await expect(page.getByRole("button", { name: "Print" })).toBeHidden();
  await expect(page.getByRole("table", { name: "Balance of the month, in USD" })).toContainText("46.00");
  await page.emulateMedia({ media: "screen" });

  await page.goto("/reconcile");
  await expect(page.getByText(/The books are right: (\d+) of \1 checks passed/)).toBeVisible();
  await expect(page.getByRole("row", { name: /closed statements.*I18/i })).toContainText("1 closed month");
  await expectAccessible(page);

  await page.goto("/calculator?model=sandbox-echo");
  const line = page.getByRole("group", { name: "sandbox-echo" });
  await line.getByLabel("Calls a day").fill("1,000");
  await line.getByLabel("Tokens in").fill("1k");
  await line.getByLabel("Tokens out").fill("500");
  await expect(page.locator("#main dd data[value='30.00']")).toBeVisible();
  await expect(page.getByRole("heading", { name: /^With these calls, the balance lasts / })).toBeVisible();
});
