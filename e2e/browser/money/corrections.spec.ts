import type { LedgerEntry } from "@/lib/contract/operations/money/balance";
import { adminApi } from "../../support/clients/admin-api";
import { expect, test } from "../../support/fixtures/test";
import { expectAccessible } from "../../support/pages/expect-accessible";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { openAsMember } from "../../support/pages/open-as-member";
import type { Gatehouse } from "../../support/programs/start-gatehouse";

test.use({ scene: "corrections" });

const pay = (gatehouse: Gatehouse, amount: string, reference: string) =>
  adminApi(gatehouse).call<LedgerEntry>("POST", "/payments", { amount, reference });

test("a finance person takes back a part of a payment, sees what it does before, and finds each from the other", async ({
  page,
  gatehouse,
}) => {
  await openAsMember(page.context(), gatehouse, { email: "fay@example.com", name: "Fay", role: "finance" });
  const payment = await pay(gatehouse, "100.00", "Invoice 7");
  await page.goto(`/balance/${payment.id}`);
  await page.getByRole("button", { name: "Correct this entry" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByLabel("Amount")).toHaveValue("100.00");
  await expect(dialog.getByRole("row", { name: "Left of the entry" })).toContainText("0.00");
  await expect(dialog.getByRole("row", { name: /^Available before and after/ })).toContainText(
    /110\.00.*10\.00/,
  );
  await expectAccessible(page);

  await dialog.getByLabel("Amount").fill("30,5");
  await expect(dialog.getByRole("row", { name: "Left of the entry" })).toContainText("69.50");
  await dialog.getByRole("button", { name: "Record correction" }).click();
  await expect(dialog.getByLabel("Reason")).toBeFocused();
  await dialog.getByLabel("Reason").fill("Recorded twice");
  await dialog.getByLabel("Amount").fill("100.01");
  await dialog.getByRole("button", { name: "Record correction" }).click();
  await expect(dialog.getByText(/^Only 100\.00 USD of the entry/)).toBeVisible();
  await dialog.getByLabel("Amount").fill("30.50");
  await dialog.getByRole("button", { name: "Record correction" }).click();
  await expect(
    page.getByRole("region", { name: "Notifications" }).getByText("Correction recorded"),
  ).toBeVisible();

  const corrections = page.getByRole("table", { name: /^Corrections of this entry/ });
  await expect(corrections.getByRole("row", { name: /Recorded twice/ })).toContainText("−30.50");
  await expect(corrections.getByRole("row", { name: "Left of the entry" })).toContainText("69.50");
  await expectAccessible(page);
  await corrections.getByRole("link", { name: "Recorded twice" }).click();
  await expect(page.getByRole("heading", { name: /^Correction of 30\.50/ })).toBeVisible();
  await expect(page.getByRole("link", { name: /^Payment of 100\.00/ })).toHaveAttribute(
    "href",
    `/balance/${payment.id}`,
  );
  await expect(page.getByRole("button", { name: "Correct this entry" })).toBeHidden();
  await expectAccessible(page);

  await page.goto("/balance?kind=correction");
  await expect(page.getByRole("row", { name: /Recorded twice/ })).toContainText("−30.50");
  const month = new Date().toISOString().slice(0, 7);
  await page.goto(`/statements/${month}`);
  const listed = page.getByRole("table", { name: "Corrections, in USD" });
  await expect(listed.getByRole("row", { name: /Recorded twice/ })).toContainText("Invoice 7");
  await expect(page.getByRole("table", { name: "Balance of the month, in USD" })).toContainText("−30.50");
  await expectAccessible(page);
});

test("an entry of three decimals is corrected as the form is filled in", async ({ page, gatehouse }) => {
  await openAsMember(page.context(), gatehouse, { email: "tri@example.com", name: "Tri", role: "finance" });
  const { id } = await pay(gatehouse, "1.234", "Three decimals");
  await page.goto(`/balance/${id}`);
  await page.getByRole("button", { name: "Correct this entry" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByLabel("Amount")).toHaveValue("1.2340");
  await dialog.getByLabel("Amount").blur();
  await expect(dialog.getByText(/can mean two amounts/)).toHaveCount(0);
  await dialog.getByLabel("Reason").fill("Recorded twice");
  await dialog.getByRole("button", { name: "Record correction" }).click();
  await expect(page.getByRole("heading", { name: "Corrections" })).toBeVisible();
  const corrections = page.getByRole("table", { name: /^Corrections of this entry/ });
  await expect(corrections.getByRole("row", { name: "Left of the entry" })).toContainText("0.00");
});

test("a correction above the amount that is set waits under Payments, and a second member approves it", async ({
  page,
  browser,
  gatehouse,
}) => {
  const payment = await pay(gatehouse, "500.00", "Invoice 8");
  await openAsMember(page.context(), gatehouse, { email: "ada@example.com", name: "Ada", role: "owner" });
  const other = await browser.newContext({ baseURL: gatehouse.consoleUrl });
  await openAsMember(other, gatehouse, { email: "ben@example.com", name: "Ben", role: "owner" });
  await adminApi(gatehouse).call("POST", "/payment_approval", { above: "50.00" });
  await page.goto(`/balance/${payment.id}`);
  await page.getByRole("button", { name: "Correct this entry" }).click();
  await page.getByLabel("Reason").fill("The bank took it back");
  await page.getByRole("button", { name: "Record correction" }).click();
  await expect(
    page.getByRole("region", { name: "Notifications" }).getByText("The correction waits for approval"),
  ).toBeVisible();

  const second = await other.newPage();
  await second.goto("/payments");
  await expect(second.getByRole("row", { name: /The bank took it back/ })).toContainText("500.00");
  await expectNoAxeViolations(second);
  await second.getByRole("button", { name: "Approve" }).click();
  await second.getByRole("button", { name: "Approve correction" }).click();
  await expect(
    second.getByRole("region", { name: "Notifications" }).getByText("Correction of 500.00 USD approved"),
  ).toBeVisible();
  await second.goto(`/balance/${payment.id}`);
  await expect(second.getByRole("row", { name: /The bank took it back/ })).toContainText("−500.00");
  await expect(second.getByRole("button", { name: "Correct this entry" })).toBeHidden();
  await other.close();
});

test("a member who may not correct entries sees the corrections and no button", async ({
  page,
  gatehouse,
}) => {
  const payment = await pay(gatehouse, "5.00", "Invoice 9");
  await adminApi(gatehouse).call("POST", `/ledger/${payment.id}/corrections`, { amount: "1", reason: "Fee" });
  await openAsMember(page.context(), gatehouse, { email: "rea@example.com", name: "Rea", role: "reader" });
  await page.goto(`/balance/${payment.id}`);
  await expect(page.getByRole("row", { name: /Fee/ })).toContainText("−1.00");
  await expect(page.getByRole("button", { name: "Correct this entry" })).toBeHidden();
});
