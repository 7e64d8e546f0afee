import type { Page } from "@playwright/test";
import { adminApi } from "../../support/clients/admin-api";
import { expect, test } from "../../support/fixtures/test";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { expectNoSidewaysScroll } from "../../support/pages/expect-no-sideways-scroll";
import { loseReply } from "../../support/pages/lose-reply";
import { openAsMember } from "../../support/pages/open-as-member";
import { signIn } from "../../support/pages/sign-in";
import { PHONE } from "../../support/pages/viewports";

test.use({ scene: "payments" });

async function record(page: Page, amount: string, reference: string, note = "") {
  await page.goto("/balance?open=new-payment");
  await page.getByLabel("Amount").fill(amount);
  await page.getByLabel("Reference").fill(reference);
  await page.getByLabel("Note").fill(note);
  await page.getByRole("dialog").getByRole("button", { name: "Record payment" }).click();
}

test("a large payment is recorded by one member and approved by another", async ({
  page,
  browser,
  gatehouse,
}) => {
  test.setTimeout(120_000);
  await openAsMember(page.context(), gatehouse, { email: "ada@example.com", name: "Ada", role: "owner" });
  // Whoever joins once there is an amount can't approve for seven days.
  const second = await browser.newContext({ baseURL: gatehouse.consoleUrl });
  await openAsMember(second, gatehouse, { email: "ben@example.com", name: "Ben", role: "owner" });
  await page.goto("/payments");
  await expect(page.getByText("No payment has needed approval")).toBeVisible();
  await expectNoAxeViolations(page);
  await page.getByRole("button", { name: "Change approval" }).click();
  await page.getByLabel("Approval above").fill("1.000,00");
  await expect(page.getByText("= 1,000.00 USD")).toBeVisible();
  await expectNoAxeViolations(page);
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("heading", { name: "Approval above 1,000.00 USD" })).toBeVisible();

  await record(page, "$1,000", "Within");
  await expect(page.getByText("It can be spent now.")).toBeVisible();
  await record(page, "1.234,50", "Invoice 9", "Paid by Acme for October");
  await expect(page.getByText("Payment waits for approval", { exact: true })).toBeVisible();
  const available = async () =>
    (await adminApi(gatehouse).call<{ available: string }>("GET", "/balance")).available;
  expect(await available()).toBe("1010.00");

  await page.getByRole("link", { name: "View pending payments" }).click();
  const row = page.getByRole("row", { name: /Invoice 9/ });
  await expect(row).toContainText("Somebody else has to approve what you recorded.");
  await expect(row).toContainText("Paid by Acme for October");
  await expect(row.getByRole("button", { name: "Approve" })).toHaveCount(0);
  await expectNoAxeViolations(page);

  const other = await second.newPage();
  await other.goto("/payments");
  await other.getByRole("button", { name: "Approve" }).click();
  await expectNoAxeViolations(other);
  await other.getByRole("button", { name: "Approve payment" }).click();
  await expect(other.getByRole("row", { name: /Invoice 9.*by Ben/ })).toBeVisible();
  expect(await available()).toBe("2244.50");

  await page
    .getByRole("row", { name: /Invoice 9/ })
    .first()
    .waitFor();
  await record(page, "9000", "Not ours");
  await expect(page.getByText("This payment is far above the usual")).toBeVisible();
  await page.getByRole("dialog").getByRole("button", { name: "Record this amount" }).click();
  await expect(page.getByText("Payment waits for approval", { exact: true })).toBeVisible();
  await other.reload();
  await other.getByRole("button", { name: "Decline" }).click();
  await other.getByRole("button", { name: "Decline payment" }).click();
  await expect(other.getByText(/^Reason (is required|must)/)).toBeVisible();
  await other.getByLabel("Reason").fill("Not on the statement");
  await expectNoAxeViolations(other);
  await other.getByRole("button", { name: "Decline payment" }).click();
  await expect(other.getByRole("row", { name: /Not ours/ })).toContainText("by Ben: Not on the statement");
  expect(await available()).toBe("2244.50");
  await other.setViewportSize(PHONE);
  await expectNoSidewaysScroll(other);
  await expectNoAxeViolations(other);
  await second.close();
});

test("an amount is read as it is pasted, and one that can mean two is refused in words", async ({
  page,
  gatehouse,
}) => {
  await signIn(page, gatehouse);
  await page.goto("/balance?open=new-payment");
  const amount = page.getByLabel("Amount");
  await expect(amount).toHaveValue("");
  for (const [typed, words] of [
    ["1.234", "This can mean two amounts. Write 1234.00 or 1.2340."],
    ["€10", "Enter an amount in USD: “€” is another currency."],
    ["-5", "Enter 0 or more."],
  ] as const) {
    await amount.fill(typed);
    await amount.blur();
    await expect(page.getByText(words)).toBeVisible();
    await expect(amount).toHaveValue(typed);
  }
  await expectNoAxeViolations(page);

  // 1.234 is an amount of the API, so sending it at once must not record it.
  const submit = page.getByRole("dialog").getByRole("button", { name: "Record payment" });
  for (const send of [() => submit.click(), () => amount.press("Enter")]) {
    await amount.fill("");
    await amount.pressSequentially("1.234");
    await send();
    await expect(page.getByText("This can mean two amounts. Write 1234.00 or 1.2340.")).toBeVisible();
    await expect(amount).toBeFocused();
    await expect(page.getByRole("dialog")).toBeVisible();
  }
  const payments = "/ledger?kind=payment&min_amount=1.234&max_amount=1.234";
  expect((await adminApi(gatehouse).call<{ data: unknown[] }>("GET", payments)).data).toEqual([]);
  await amount.pressSequentially(",50");
  await expect(page.getByText("= 1,234.50 USD")).toBeVisible();
});

test("a payment that equals a recorded one is asked about: a reload restores the form of one whose reply was lost", async ({
  page,
  gatehouse,
}) => {
  await signIn(page, gatehouse);
  const recorded = async () =>
    (await adminApi(gatehouse).call<{ data: object[] }>("GET", "/ledger?reference=Bank+77&limit=100")).data
      .length;
  const dialog = page.getByRole("dialog");
  const send = () => dialog.getByRole("button", { name: "Record payment" }).click();
  await page.goto("/balance?open=new-payment");
  await page.getByLabel("Amount").fill("77.70");
  await page.getByLabel("Reference").fill("Bank 77");
  await loseReply(page, "**/balance**", 2);
  await send();
  await expect(dialog.getByRole("alert")).toBeVisible();
  expect(await recorded()).toBe(1);

  await page.unroute("**/balance**");
  await page.reload();
  await page.goto("/balance?open=new-payment");
  await page.getByLabel("Amount").fill("77.70");
  await page.getByLabel("Reference").fill("bank 77");
  await send();
  await expect(dialog.getByText("This payment seems to be recorded already")).toBeVisible();
  await expectNoAxeViolations(page);
  expect(await recorded()).toBe(1);
  // The question is about what was typed then.
  await page.getByLabel("Amount").fill("77.71");
  await expect(dialog.getByText("This payment seems to be recorded already")).toHaveCount(0);
  await page.getByLabel("Amount").fill("77.70");
  await send();
  await dialog.getByRole("button", { name: "Record it as well" }).dblclick();
  await expect(page.getByText("It can be spent now.")).toBeVisible();
  expect(await recorded()).toBe(2);
});
