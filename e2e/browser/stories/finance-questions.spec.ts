import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import OpenAI from "openai";
import { parseCsv } from "@/lib/contract/csv";
import type { Balance, LedgerEntry } from "@/lib/contract/operations/money/balance";
import { formatAmount, parseCheckedAmount, sumAmounts } from "@/lib/money/amount";
import { adminApi } from "../../support/clients/admin-api";
import { fetchWithKey } from "../../support/clients/send";
import { expect, test } from "../../support/fixtures/test";
import { openAsMember } from "../../support/pages/open-as-member";
import type { Gatehouse } from "../../support/programs/start-gatehouse";
import { type PastMonth, writeLastMonth } from "../../support/stored-data/past-month";

test.use({ scene: "finance questions", environment: { GATEHOUSE_OPENING_BALANCE: "0" } });

/** Sets up last month with a payment and two calls, and closes it. */
async function closeLastMonth(page: Page, gatehouse: Gatehouse): Promise<PastMonth> {
  const project = await adminApi(gatehouse).createProject("Support bot");
  const month = writeLastMonth(gatehouse, project.id);
  await page.goto(`/statements/${month.id}`);
  await page.getByRole("button", { name: "Close month" }).click();
  await page.getByRole("button", { name: `Close ${month.name}` }).click();
  await expect(page.getByText(/^\d+ \w+ \d{4}, .* UTC by Gil$/)).toBeVisible();
  return month;
}

/** Records a payment as an accounting program does: it repeats the request that got no answer, with the same key. */
async function payAsProgram({ baseUrl, adminKey }: Gatehouse): Promise<string[]> {
  const pay = async () => {
    const body = JSON.stringify({ amount: "100.00", reference: "Invoice 31" });
    const reply = await fetchWithKey(`${baseUrl}/organization/payments`, {
      key: adminKey,
      body,
      headers: { "idempotency-key": "invoice-31" },
    });
    return ((await reply.json()) as LedgerEntry).id;
  };
  return [await pay(), await pay()];
}

/**
 * A customer's program makes a call.
 * @returns the request id that its log shows.
 */
async function callAsCustomer(gatehouse: Gatehouse): Promise<string> {
  const api = adminApi(gatehouse);
  const { id } = await api.createProject("Search");
  const { value } = await api.createKey(id, "web");
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
  const { id: month, name } = await closeLastMonth(page, gatehouse);
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
  await expect(page.getByRole("row", { name: /^Charge USD 0/ })).toContainText("0.000006");

  await page.goto("/balance/txn_past0");
  await page.getByRole("button", { name: "Correct this entry" }).click();
  await page.getByLabel("Amount").fill("0,75");
  await page.getByLabel("Reason").fill("Answer was cut off");
  await page.getByRole("button", { name: "Record correction" }).click();
  await expect(
    page.getByRole("region", { name: "Notifications" }).getByText("Correction recorded"),
  ).toBeVisible();
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
  const [head, ...rows] = parseCsv(await readFile(await (await download).path(), "utf8")).rows;
  const column = head?.cells.indexOf("balance_change") ?? -1;
  const changes = rows.map(({ cells }) => parseCheckedAmount(cells[column] ?? ""));
  const { posted } = await adminApi(gatehouse).call<Balance>("GET", "/balance");
  expect(formatAmount(sumAmounts(changes))).toBe(posted);
});
