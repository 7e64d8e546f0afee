import { readFile } from "node:fs/promises";
import type { LedgerEntry } from "@/lib/contract/operations/money/balance";
import { adminApi } from "../../support/clients/admin-api";
import { expect, test } from "../../support/fixtures/test";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { expectNoSidewaysScroll } from "../../support/pages/expect-no-sideways-scroll";
import { openAsMember } from "../../support/pages/open-as-member";
import { PHONE } from "../../support/pages/viewports";
import type { Gatehouse } from "../../support/programs/start-gatehouse";
import { nameMonth, writeLastMonth } from "../../support/stored-data/past-month";

test.use({ scene: "statements", environment: { GATEHOUSE_OPENING_BALANCE: "0" } });

/**
 * Records a payment.
 * @returns the name of the month that it counts for.
 */
async function payNow(gatehouse: Gatehouse, amount: string, reference: string): Promise<string> {
  const { call } = adminApi(gatehouse);
  const payment = await call<LedgerEntry>("POST", "/payments", { amount, reference });
  return nameMonth(new Date(payment.created_at * 1_000));
}

test("finance opens last month's statement, prints it and closes it, and it stays unchanged", async ({
  page,
  gatehouse,
}) => {
  const api = adminApi(gatehouse);
  await openAsMember(page.context(), gatehouse, { email: "fay@example.com", name: "Fay", role: "finance" });
  await page.goto("/statements");
  await expect(page.getByText("No money has moved yet")).toBeVisible();
  await expectNoAxeViolations(page);
  const project = await api.createProject("Support bot");
  const { name: last } = writeLastMonth(gatehouse, project.id);
  const present = await payNow(gatehouse, "7.00", "This month");

  await page.reload();
  await expect(page.getByRole("row", { name: new RegExp(present) })).toContainText("In progress");
  await expect(page.getByRole("row", { name: new RegExp(last) })).toContainText("Not closed");
  await expectNoAxeViolations(page);
  await page.getByRole("link", { name: last }).click();
  await expect(page.getByRole("heading", { name: `Statement of ${last}` })).toBeVisible();
  const sums = page.getByRole("table", { name: "Balance of the month, in USD" });
  await expect(sums.getByRole("row")).toHaveText([
    "BalanceUSD",
    "Opening balance0.00",
    "Payments+50.00",
    "Charges−4.00",
    "Closing balance46.00",
  ]);
  await expect(page.getByRole("row", { name: /Invoice 9/ })).toContainText("50.00");
  await expectNoAxeViolations(page);

  await page.getByRole("link", { name: "Support bot" }).click();
  await expect(page.getByText("Projects have no balances of their own")).toBeVisible();
  await expect(page.getByRole("table", { name: "Charges by model, in USD" })).toContainText("4.00");
  await expect(sums).toHaveCount(0);
  await page.getByLabel("Project", { exact: true }).selectOption("Whole organization");
  await expect(sums).toBeVisible();

  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "CSV" }).click();
  const rows = (await readFile(await (await download).path(), "utf8")).trim().split("\r\n");
  expect(rows.map((row) => row.split(",")[1])).toEqual([
    "entry",
    "opening balance",
    "payment",
    "charges",
    "charges",
    "closing balance",
  ]);

  await page.getByRole("button", { name: "Close month" }).click();
  await expect(page.getByRole("dialog")).toContainText("can’t be reopened");
  await expectNoAxeViolations(page);
  await page.getByRole("button", { name: `Close ${last}` }).click();
  await expect(page.getByText(/^\d+ \w+ \d{4}, .* UTC by Fay$/)).toBeVisible();
  await expect(page.getByRole("button", { name: "Close month" })).toHaveCount(0);
  await expectNoAxeViolations(page);
  await page.setViewportSize(PHONE);
  await expectNoSidewaysScroll(page);
  await expectNoAxeViolations(page);

  await page.emulateMedia({ media: "print" });
  await expect(page.getByRole("button", { name: "CSV" })).toBeHidden();
  await expect(page.getByText("Digest (SHA-256)")).toBeVisible();
});

test("a member who may not close months reads them, and a month without entries has no statement", async ({
  page,
  gatehouse,
}) => {
  const present = await payNow(gatehouse, "1.00", "A first entry");
  await openAsMember(page.context(), gatehouse, { email: "rob@example.com", name: "Rob", role: "reader" });
  await page.goto("/statements");
  await page.getByRole("link", { name: present }).click();
  await expect(page.getByRole("heading", { name: `Statement of ${present}` })).toBeVisible();
  await expect(page.getByRole("button", { name: "Print" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Close month" })).toHaveCount(0);
  await page.goto("/statements/1999-01");
  await expect(page.getByText("There is no statement of January 1999")).toBeVisible();
  await expectNoAxeViolations(page);
});
