import type { Page } from "@playwright/test";
import { adminApi } from "../../support/clients/admin-api";
import { expect, test } from "../../support/fixtures/test";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { signIn } from "../../support/pages/sign-in";

test.use({ scene: "finance-attacks" });
test.beforeEach(({ page, gatehouse }) => signIn(page, gatehouse));

const nonsense = encodeURIComponent("１２ −5\u0000<b>'");

/** Opens an address, and expects its screen rather than the one of a fault. */
async function expectScreen(page: Page, address: string): Promise<void> {
  const errors: string[] = [];
  page.on("pageerror", ({ message }) => errors.push(message));
  await page.goto(address);
  await expect(page.getByRole("heading").first(), address).toBeVisible();
  await expect(page.getByRole("navigation").first(), address).toBeVisible();
  await expect(page.getByText(/could not be shown|went wrong/i), address).toHaveCount(0);
  expect(errors, address).toEqual([]);
  page.removeAllListeners("pageerror");
}

test("addresses with nonsense or impossible filters show the ledger, and say which filter holds", async ({
  page,
}) => {
  test.setTimeout(120_000);
  for (const query of [
    `from=${nonsense}&to=soon`,
    "from=99999999999&to=99999999999",
    "from=1e3&to=-5",
    "range=never&kind=nothing",
    `min_amount=${nonsense}&max_amount=1e3&text=${nonsense}`,
    `project_id=nobody&model=${nonsense}&key_id=x`,
  ]) {
    await expectScreen(page, `/balance?${query}`);
  }
  await page.goto("/balance?from=soon&to=later");
  await expect(page.getByLabel("Time", { exact: true })).toHaveValue("all");
  await expect(page.getByRole("row", { name: /Payment/ }).first()).toBeVisible();
  await page.goto("/balance?range=never");
  await expect(page.getByLabel("Time", { exact: true })).toHaveValue("all");

  await expectScreen(page, "/balance?min_amount=20&max_amount=1");
  await expect(page.getByText("No entry fits these filters")).toBeVisible();
  await expectScreen(page, "/balance?from=1900000000&to=1800000000");
  await expect(page.getByRole("row", { name: /Payment/ })).toHaveCount(0);
  await expectNoAxeViolations(page);
});

test("statements of months that can't be, links of nobody and entries of nothing are said to be unknown", async ({
  page,
}) => {
  const future = `${new Date().getUTCFullYear() + 1}-01`;
  for (const month of [future, "2001-01", "2026-13", "0000-00", "９９９９-01", "abc", nonsense]) {
    await expectScreen(page, `/statements/${month}`);
    await expect(page.getByText(/^There is no statement of/), month).toBeVisible();
  }
  await page.getByRole("link", { name: "Open statements" }).click();
  await expect(page).toHaveURL("/statements");
  await expectScreen(page, `/statements/${new Date().toISOString().slice(0, 7)}?project=${nonsense}`);
  await expect(page.getByText("No call was charged in this month.").first()).toBeVisible();
  await expectScreen(page, "/balance/txn_nothing");
  await expect(page.getByRole("main")).toContainText(/no .*entry|not found|does not exist/i);
  await expectScreen(page, `/statements/compare?month=${nonsense}`);
  await expect(page).toHaveURL("/statements");
});

test("a calculator link with nonsense keeps what can be read and names what can't", async ({ page }) => {
  for (const value of [nonsense, "0", "", "-1", "1e-9", "999999999999999", "1.2.3"]) {
    await expectScreen(
      page,
      `/calculator?payment=${value}&rate=${value}&in=${value}&out=${value}&units=${value}&until=${value}`,
    );
  }
  await expectScreen(page, `/calculator?model=nobody&mix=${nonsense}&at=NaN&prices=${nonsense}`);
  await expectScreen(page, "/calculator?worth=１２&payment=10&at=99999999999999999&prices=0%200%200%20x");

  await page.goto("/calculator?rate=0");
  await expect(page.getByLabel("Model rate")).toHaveAttribute("aria-invalid", "true");
  await expect(page.getByRole("heading", { level: 1 })).not.toContainText(/NaN|Infinity|∞/);
  await page.goto("/calculator?payment=10&rate=0.000000001");
  await expect(page.getByRole("heading", { level: 1 })).toContainText("10,000,000,000.00");
  await expectNoAxeViolations(page);
});

test("one payment that is recorded in two tabs at once is recorded once, and the other tab asks", async ({
  page,
  context,
  gatehouse,
}) => {
  const tabs = [page, await context.newPage()];
  let release = () => {};
  const bothRecord = new Promise<void>((resolve) => {
    release = resolve;
  });
  let recording = 0;
  for (const tab of tabs) {
    await tab.goto("/balance?open=new-payment");
    await tab.getByLabel("Amount").fill("1 234,50");
    await tab.getByLabel("Reference").fill("Two tabs");
    // Neither is recorded before both have found no other: the second request of each records.
    let sent = 0;
    await tab.route("**/balance**", async (route) => {
      if (route.request().method() !== "POST" || ++sent !== 2) return route.continue();
      recording += 1;
      if (recording === tabs.length) release();
      await bothRecord;
      return route.continue();
    });
    await tab.getByRole("dialog").getByRole("button", { name: "Record payment" }).click();
  }
  const count = (words: string) => async () =>
    (await Promise.all(tabs.map((tab) => tab.getByText(words).count()))).toSorted();
  await expect.poll(count("It can be spent now.")).toEqual([0, 1]);
  await expect.poll(count("This payment seems to be recorded already")).toEqual([0, 1]);
  const { data } = await adminApi(gatehouse).call<{ data: { amount: string }[] }>(
    "GET",
    "/ledger?reference=Two+tabs",
  );
  expect(data.map(({ amount }) => amount)).toEqual(["1234.50"]);
});
