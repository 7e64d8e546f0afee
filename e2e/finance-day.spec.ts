import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import OpenAI from "openai";
import type { Balance, LedgerEntry } from "@/lib/contract/operations/balance";
import type { CreatedProjectApiKey } from "@/lib/contract/operations/project-api-keys";
import { readCsv } from "@/lib/contract/read-csv";
import { amountOf, formatAmount } from "@/lib/money/amount";
import { sumOf } from "@/lib/money/plan";
import { adminApi } from "./support/admin-api";
import { expectNoAxeViolations } from "./support/expect-no-axe-violations";
import { expectNoSidewaysScroll } from "./support/expect-no-sideways-scroll";
import { openAsMember } from "./support/open-as-member";
import type { Gatehouse } from "./support/start-gatehouse";
import { expect, test } from "./support/test";

test.use({ scene: "finance day", environment: { GATEHOUSE_OPENING_BALANCE: "0" } });

const lastMonth = () => {
  const now = new Date();
  const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1));
  const name = month.toLocaleDateString("en", { month: "long", year: "numeric", timeZone: "UTC" });
  return { id: month.toISOString().slice(0, 7), name };
};

async function expectAccessible(page: Page) {
  await expectNoAxeViolations(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoSidewaysScroll(page);
  await expectNoAxeViolations(page);
  await page.setViewportSize({ width: 1440, height: 900 });
}

/**
 * Sets up a month with a payment and two calls. @returns a function that makes another call as a program and returns its output.
 */
async function setScene(gatehouse: Gatehouse) {
  const api = adminApi(gatehouse);
  const project = await api.createProject("Support bot");
  execFileSync("node_modules/.bin/bun", [
    "e2e/support/write-last-month.ts",
    gatehouse.dataFolder,
    project.id,
  ]);
  const keys = `/projects/${project.id}/api_keys`;
  const { value } = await api.call<CreatedProjectApiKey>("POST", keys, { name: "production" });
  return () =>
    execFileSync(
      "node_modules/.bin/bun",
      ["e2e/support/call-model.ts", gatehouse.baseUrl, value, "sandbox-echo"],
      { encoding: "utf8" },
    );
}

test("a finance person's day: a payment, a charge explained, an invoice compared, the month closed, the books proven", async ({
  page,
  gatehouse,
}) => {
  test.slow();
  const callOnce = await setScene(gatehouse);
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

  const { id: month, name } = lastMonth();
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
  await expect(page.getByText(/^\d{4}-\d\d-\d\d .* UTC by Fay$/)).toBeVisible();
  await page.emulateMedia({ media: "print" });
  await expect(page.getByRole("button", { name: "Print" })).toBeHidden();
  await expect(page.getByRole("table", { name: "Balance of the month, in USD" })).toContainText("46.00");
  await page.emulateMedia({ media: "screen" });

  await page.goto("/reconcile");
  await expect(page.getByText(/The books are right: (\d+) of \1 checks passed/)).toBeVisible();
  await expect(page.getByRole("row", { name: /I18 closed statements/i })).toContainText("1 closed month");
  await expectAccessible(page);

  await page.goto("/calculator?model=sandbox-echo");
  const line = page.getByRole("group", { name: "sandbox-echo" });
  await line.getByLabel("Calls a day").fill("1,000");
  await line.getByLabel("Tokens in").fill("1k");
  await line.getByLabel("Tokens out").fill("500");
  await expect(page.locator("#main dd data[value='30.00']")).toBeVisible();
  await expect(page.getByRole("heading", { name: /^The balance lasts / })).toBeVisible();
});

/** Records a payment as an accounting program does: it repeats the request that got no answer, with the same key. */
async function payAsProgram({ baseUrl, adminKey }: Gatehouse): Promise<string[]> {
  const pay = async () => {
    const headers = { authorization: `Bearer ${adminKey}`, "idempotency-key": "invoice-31" };
    const body = JSON.stringify({ amount: "100.00", reference: "Invoice 31" });
    const reply = await fetch(`${baseUrl}/organization/payments`, { method: "POST", headers, body });
    return ((await reply.json()) as LedgerEntry).id;
  };
  return [await pay(), await pay()];
}

/** A customer's program makes a call. @returns the request id that its log shows. */
async function callAsCustomer(gatehouse: Gatehouse): Promise<string> {
  const api = adminApi(gatehouse);
  const { id } = await api.createProject("Search");
  const { value } = await api.call<CreatedProjectApiKey>("POST", `/projects/${id}/api_keys`, { name: "web" });
  const client = new OpenAI({ baseURL: gatehouse.baseUrl, apiKey: value });
  const { request_id: requestId } = await client.chat.completions
    .create({ model: "sandbox-echo", messages: [{ role: "user", content: "why was I charged" }] })
    .withResponse();
  await expect.poll(async () => (await api.charges(requestId ?? "")).length).toBe(1);
  return requestId ?? "";
}

test("a customer's question is answered by its request id, a closed month is corrected, and the export adds up to the balance", async ({
  page,
  gatehouse,
}) => {
  test.slow();
  await openAsMember(page.context(), gatehouse, { email: "gil@example.com", name: "Gil", role: "finance" });
  const [first, second] = await payAsProgram(gatehouse);
  expect(second).toBe(first);
  await page.goto("/payments/import");
  await page
    .getByRole("textbox", { name: "Payments as CSV" })
    .fill('Betrag;Rechnung\n"1.000,25";INV 32\n"100,00";Invoice 31\n');
  await expect(page.getByText("1 payment seems to be recorded already")).toBeVisible();
  await page.getByRole("button", { name: "Record 1 payment" }).click();
  await expect(page.getByText("1 payment recorded")).toBeVisible();

  const requestId = await callAsCustomer(gatehouse);
  await page.keyboard.press("ControlOrMeta+K");
  await page.getByRole("combobox", { name: "Screen, project or command" }).fill(requestId);
  await page.getByRole("option", { name: new RegExp(requestId) }).click();
  await expect(page).toHaveURL(`/requests/${requestId}`);
  await page.locator('#main a[href^="/balance/txn_"]').first().click();
  await expect(page.getByRole("row", { name: /^Input/ })).toContainText("4 tokens × 1.00 ÷ 1,000,000");
  await expect(page.getByRole("row", { name: /^Charge 0/ })).toContainText("0.000006");

  const { id: month, name } = lastMonth();
  await page.goto("/balance/txn_past0");
  await page.getByRole("button", { name: "Correct this entry" }).click();
  await page.getByLabel("Amount").fill("0,75");
  await page.getByLabel("Reason").fill("Answer was cut off");
  await page.getByRole("button", { name: "Record correction" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Correction recorded" })).toBeVisible();
  await page.goto(`/statements/${month}`);
  await expect(page.getByRole("table", { name: "Balance of the month, in USD" })).toContainText("46.00");
  await expect(page.getByText("Answer was cut off")).toHaveCount(0);
  await page.goto(`/statements/${new Date().toISOString().slice(0, 7)}`);
  await expect(page.getByRole("row", { name: /Answer was cut off/ })).toContainText(
    `in the statement of ${name}`,
  );
  await expect(page.getByRole("row", { name: /^Corrections/ })).toContainText("+0.75");

  await page.goto("/reconcile");
  await expect(page.getByText(/The books are right: (\d+) of \1 checks passed/)).toBeVisible();
  await page.goto("/balance");
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export" }).click();
  await page.getByRole("menuitem", { name: "CSV" }).click();
  const [head, ...rows] = readCsv(await readFile(await (await download).path(), "utf8")).rows;
  const column = head?.cells.indexOf("balance_change") ?? -1;
  const changes = rows.map(({ cells }) => amountOf(cells[column] ?? ""));
  const { posted } = await adminApi(gatehouse).call<Balance>("GET", "/balance");
  expect(formatAmount(sumOf(changes))).toBe(posted);
});
