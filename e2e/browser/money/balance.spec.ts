import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import type { Balance, LedgerEntry } from "@/lib/contract/operations/money/balance";
import { adminApi } from "../../support/clients/admin-api";
import { callModel } from "../../support/clients/send";
import { expect, test } from "../../support/fixtures/test";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { expectFitsPhone, expectNoSidewaysScroll } from "../../support/pages/expect-no-sideways-scroll";
import { loseReply } from "../../support/pages/lose-reply";
import { openSpecificationConsole } from "../../support/pages/open-specification-console";
import { signIn } from "../../support/pages/sign-in";
import { PHONE } from "../../support/pages/viewports";

test.use({ scene: "balance" });

type Api = ReturnType<typeof adminApi>;
let api: Api;
let call: (model: string, content: string) => Promise<string>;

test.beforeEach(async ({ page, gatehouse }, { title }) => {
  api = adminApi(gatehouse);
  const project = await api.createProject(title.slice(0, 100));
  const key = await api.createKey(project.id, "spec");
  call = (model, content) => callModel(gatehouse, key.value, model, { content });
  await signIn(page, gatehouse);
});

const available = async () => (await api.call<Balance>("GET", "/balance")).available;
const figure = (page: Page, amount: string) => page.locator(`dl data[value="${amount}"]`).first();

test("a payment is recorded once, however often its form is sent, and can be spent", async ({ page }) => {
  await page.goto("/balance");
  await expect(figure(page, await available())).toBeVisible();
  await expectNoAxeViolations(page);
  const payments = async () =>
    (await api.call<{ data: LedgerEntry[] }>("GET", "/ledger?kind=payment&limit=1000")).data;
  const before = (await payments()).length;

  await page.getByRole("button", { name: "Record payment" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Amount").fill("-5");
  await dialog.getByRole("button", { name: "Record payment" }).click();
  await expect(dialog.getByText("Enter 0 or more.").first()).toBeVisible();
  await expect(dialog.getByLabel("Amount")).toHaveValue("-5");
  await expectNoAxeViolations(page);

  // The reply to the first attempt, which follows the search for an equal payment, is lost: the form stays open and is
  // sent again.
  await loseReply(page, "**/balance", 2);
  await dialog.getByLabel("Amount").fill("1,250.50");
  await dialog.getByLabel("Reference").fill("Invoice 7");
  await dialog.getByLabel("Paid on").fill("2026-11-03");
  await dialog.getByRole("button", { name: "Record payment" }).click();
  await expect(dialog.getByRole("alert")).toBeVisible();
  await expect(dialog.getByLabel("Reference")).toHaveValue("Invoice 7");
  await dialog.getByRole("button", { name: "Record payment" }).click();

  await expect(page.getByText("Payment recorded")).toBeVisible();
  const [recorded, ...others] = await payments();
  expect([recorded?.paid_on, others.length]).toEqual(["2026-11-03", before]);
  await expect(page.getByRole("row", { name: /Invoice 7/ })).toContainText("+1,250.50");
  await expect(figure(page, await available())).toBeVisible();
});

test("a charge is explained line by line, and its lines make its amount", async ({ page }) => {
  const requestId = await call("sandbox-echo", "one two three");
  const [charge] = await api.charges(requestId);
  expect(charge?.amount).toBe("0.0000045");
  await page.goto(`/balance?request_id=${requestId}`);
  await page.getByRole("link", { name: /Charge/ }).click();

  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("row", { name: /Input/ })).toContainText("3 tokens × 1.00 ÷ 1,000,000");
  await expect(dialog.getByRole("row", { name: /Output/ })).toContainText("3 tokens × 2.00 ÷ 1,000,000");
  await expect(dialog.getByRole("row", { name: /List price/ })).toContainText("0.000009");
  await expect(dialog.getByRole("row", { name: /Model rate/ })).toContainText("× 0.50");
  await expect(dialog.getByRole("row", { name: /^Charge USD \d/ }).locator("data")).toHaveAttribute(
    "value",
    "0.0000045",
  );
  await expect(dialog.getByText(requestId)).toBeVisible();
  await expectNoAxeViolations(page);
  await page.reload();
  await expect(dialog).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await expect(page).toHaveURL(/\/balance\?request_id=[^&]+$/);
});

test("a link shows its entry, whatever the list holds", async ({ page }) => {
  const [charge] = await api.charges(await call("sandbox-echo", "one two three"));
  await page.goto(`/balance?kind=payment&entry=${charge?.id}`);
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("heading", { name: /^Charge of 0.0000045/ })).toBeVisible();
  await expect(dialog.getByRole("row", { name: /^Charge USD \d/ })).toBeVisible();
  await expectNoAxeViolations(page);
  await dialog.getByRole("button", { name: "Close" }).click();
  await expect(page).toHaveURL(/\/balance\?kind=payment$/);

  await page.goto("/balance?entry=txn_none");
  await expect(dialog.getByRole("heading", { name: "There is no such entry" })).toBeVisible();
  await expect(dialog).toContainText("txn_none");
  await expectNoAxeViolations(page);
});

test("filters are in the URL, and more entries are loaded on demand", async ({ page }) => {
  for (let count = 0; count < 55; count++) await call("sandbox-echo", "one");
  await page.goto("/balance");
  const rows = page.getByRole("table").getByRole("row");
  await expect(rows).toHaveCount(51);
  await page.getByRole("button", { name: "Load more" }).click();
  await expect.poll(() => rows.count()).toBeGreaterThan(55);

  await page.getByLabel("Kind").selectOption("payment");
  await expect(page).toHaveURL(/kind=payment/);
  await expect(page.getByRole("row", { name: /Charge/ })).toHaveCount(0);
  await expect(page.getByRole("row", { name: /Opening balance/ })).toBeVisible();
  await page.getByLabel("Model", { exact: true }).selectOption("sandbox-chat");
  await expect(page.getByText("No entry fits these filters")).toBeVisible();
  await expectNoAxeViolations(page);
  await page.setViewportSize(PHONE);
  await page.goto("/balance");
  await expectNoSidewaysScroll(page);
});

test("a gateway without a ledger is distinguished from one that fails", async ({ browser, elsewhere }) => {
  const { page, stop } = await openSpecificationConsole(browser, elsewhere);
  await page.goto("/balance");
  await expect(page.getByText("This gateway doesn’t show the balance")).toBeVisible();
  await expectNoAxeViolations(page);
  await stop();
});

test("the download holds every entry the filter names, whatever is shown", async ({ page }) => {
  for (let count = 0; count < 60; count++) {
    await api.call("POST", "/payments", { amount: "0.01", reference: `Export ${count}` });
  }
  await call("sandbox-echo", "hello");
  await page.goto("/balance?kind=payment");
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export" }).click();
  await page.getByRole("menuitem", { name: "CSV" }).click();
  const csv = await readFile(await (await download).path(), "utf8");
  const [head = "", ...lines] = csv.split("\r\n").slice(0, -1);
  expect(head).toContain("project_name,key_id,key_name");
  expect(lines.filter((line) => line.includes("Export "))).toHaveLength(60);
  expect(lines.filter((line) => line.includes(",charge,"))).toEqual([]);
});

test("filters combine: a payment is found by a part of its reference, its amount and its time", async ({
  page,
}) => {
  for (const [amount, reference] of [
    ["12.50", "Invoice 2026-10"],
    ["90.00", "Invoice 2026-11"],
    ["90.00", "Credit note 4"],
  ]) {
    await api.call("POST", "/payments", { amount, reference });
  }
  await page.goto("/balance");
  await page.getByLabel("Search entries").fill("invoice 2026");
  await expect(page.getByRole("row", { name: /Invoice 2026/ })).toHaveCount(2);
  await page.getByRole("button", { name: "Filters" }).click();
  await page.getByLabel("Reference contains").fill("Invoice 2026, 11");
  await expect(page).toHaveURL(/reference=Invoice\+2026%2C\+11/);
  await page.getByLabel("Reference contains").fill("");
  await page.getByLabel("Amount at least").fill("1,000");
  await expect(page).toHaveURL(/min_amount=1000(&|$)/);
  await expect(page.getByRole("row", { name: /Invoice 2026/ })).toHaveCount(0);
  await page.getByLabel("Amount at least").fill("90,00");
  await expect(page.getByText("= 90.00")).toBeVisible();
  await expect(page).toHaveURL(/min_amount=90\.00(&|$)/);
  await expect(page.getByRole("row", { name: /Invoice 2026/ })).toHaveCount(1);
  await page.getByLabel("Amount at least").fill("1.234");
  await page.getByLabel("Amount at least").blur();
  await expect(page.getByText("This can mean two amounts.")).toBeVisible();
  await expect(page).not.toHaveURL(/min_amount/);
  await page.getByLabel("Amount at least").fill("50");
  await expect(page.getByRole("row", { name: /Invoice 2026/ })).toHaveCount(1);
  await expect(page).toHaveURL(/text=invoice\+2026/);
  await expect(page).toHaveURL(/min_amount=50/);
  await expectNoAxeViolations(page);
  await page.reload();
  await expect(page.getByRole("row", { name: /Invoice 2026-11/ })).toBeVisible();
  await expect(page.getByRole("row", { name: /Invoice 2026-10|Credit note/ })).toHaveCount(0);
  await page.getByLabel("Time").selectOption("15m");
  await expect(page.getByRole("row", { name: /Invoice 2026-11/ })).toBeVisible();
  await page.getByRole("button", { name: "Clear" }).click();
  await expect(page.getByRole("row", { name: /Credit note 4/ })).toBeVisible();
});

test("an entry has an address of its own, with both accounts and the balance around it", async ({ page }) => {
  const before = await available();
  await call("sandbox-echo", "one two three");
  const after = await available();
  // After hydration: before it, a row's link leads to the entry's own page.
  await page.goto("/balance", { waitUntil: "networkidle" });
  await page.getByRole("link", { name: "Charge", exact: true }).first().click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("Charges for calls");
  await dialog.getByRole("link", { name: "Open page" }).click();
  await expect(page).toHaveURL(/\/balance\/txn_[^/?]+$/);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Charge of 0.0000045");
  const balances = page.getByRole("row", { name: /Balance before and after/ }).locator("data");
  await expect(balances.first()).toHaveAttribute("value", before);
  await expect(balances.last()).toHaveAttribute("value", after);
  await page.getByRole("link", { name: "Receipt" }).click();
  await expect(page).toHaveURL(/\/requests\/req_/);
  await page.goBack();
  await expectNoAxeViolations(page);
  await expectFitsPhone(page);
});

test("the balance page shows the month’s spending by project, model, key and member", async ({ page }) => {
  await call("sandbox-echo", "one two three");
  await page.goto("/balance");
  await expect(page.getByText("Spent this month (UTC)")).toBeVisible();
  const byModel = page.getByRole("list", { name: "Spent this month, by model" });
  // Calls are summed within a few seconds.
  await expect(async () => {
    await page.reload();
    await expect(byModel.getByText("sandbox-echo")).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await expect(page.getByRole("link", { name: "Open usage" })).toHaveAttribute("href", /^\/usage\?from=\d+$/);
  for (const by of ["project", "key", "member"]) {
    await expect(page.getByRole("list", { name: `Spent this month, by ${by}` })).toBeVisible();
  }
  await expectNoAxeViolations(page);
  await expectFitsPhone(page);
});
