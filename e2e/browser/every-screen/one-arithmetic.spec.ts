import { readFile } from "node:fs/promises";
import type { Locator, Page } from "@playwright/test";
import OpenAI from "openai";
import { parseCsv } from "@/lib/contract/csv";
import type { LedgerEntry } from "@/lib/contract/operations/money/balance";
import type { Statement } from "@/lib/contract/operations/money/statements";
import { formatAmount, parseCheckedAmount, sumAmounts } from "@/lib/money/amount";
import { adminApi } from "../../support/clients/admin-api";
import { expect, test } from "../../support/fixtures/test";
import { signIn } from "../../support/pages/sign-in";
import type { Gatehouse } from "../../support/programs/start-gatehouse";

test.use({ scene: "one arithmetic" });

const total = (amounts: readonly string[]) => formatAmount(sumAmounts(amounts.map(parseCheckedAmount)));
/** Amounts below a cent are shown exactly, so sums of what is shown can be compared to the last digit. */
const shownIn = async (places: Locator) =>
  total(
    (await places.allTextContents()).flatMap(
      (text) => /\d[\d,]*\.\d+/.exec(text.replaceAll(",", ""))?.[0] ?? [],
    ),
  );
const shows = (places: Locator, amount: string) => expect.poll(() => shownIn(places)).toBe(amount);

/**
 * Makes calls with keys of two projects.
 * @returns the first project and what each project was charged.
 */
async function makeCalls(gatehouse: Gatehouse) {
  const api = adminApi(gatehouse);
  const [search, support] = [await api.createProject("Search"), await api.createProject("Support bot")];
  const calls = [
    { project: search, name: "web", model: "sandbox-echo", content: "one two three" },
    { project: search, name: "nightly", model: "sandbox-echo", content: "seven words are here to be read" },
    { project: search, name: "batch", model: "sandbox-chat", content: "two words" },
    { project: support, name: "web", model: "sandbox-chat", content: "how are you" },
  ];
  for (const { project, name, model, content } of calls) {
    const { value: apiKey } = await api.createKey(project.id, name);
    const client = new OpenAI({ baseURL: gatehouse.baseUrl, apiKey });
    await client.chat.completions.create({ model, messages: [{ role: "user", content }] });
  }
  const charges = async () =>
    (await api.call<{ data: LedgerEntry[] }>("GET", "/ledger?kind=charge&limit=1000")).data;
  await expect.poll(async () => (await charges()).length).toBe(calls.length);
  const entries = await charges();
  const own = entries.filter(({ project_id }) => project_id === search.id);
  return {
    search,
    all: total(entries.map(({ amount }) => amount)),
    ofSearch: total(own.map(({ amount }) => amount)),
  };
}

async function download(page: Page, start: () => Promise<void>): Promise<string> {
  const file = page.waitForEvent("download");
  await start();
  return readFile(await (await file).path(), "utf8");
}

/** The amounts of a CSV's rows whose column has a value, without sign. */
function readAmounts(csv: string, column: string, value: string): string[] {
  const [head, ...rows] = parseCsv(csv).rows;
  const [at, amount] = [head?.cells.indexOf(column) ?? -1, head?.cells.indexOf("amount") ?? -1];
  return rows
    .filter(({ cells }) => cells[at] === value)
    .map(({ cells }) => cells[amount]?.replace("-", "") ?? "");
}

test("one arithmetic on every screen: what calls were charged is the same everywhere, to the last digit", async ({
  page,
  gatehouse,
}) => {
  test.slow();
  const { search, all, ofSearch } = await makeCalls(gatehouse);
  await signIn(page, gatehouse);
  const figure = (name: string) => page.locator("dl").filter({ hasText: name }).locator("dd").first();

  await page.goto("/balance?kind=charge");
  await shows(figure("Spent this month"), all);
  for (const by of ["project", "model", "key"])
    await shows(page.getByRole("list", { name: `Spent this month, by ${by}` }).getByRole("listitem"), all);
  const entries = page.getByRole("table", { name: /^Ledger entries/ }).locator("tbody tr");
  await expect(entries).toHaveCount(4);
  await shows(entries.locator("td data").and(page.locator('[value^="-"]')), all);
  const ledger = await download(page, async () => {
    await page.getByRole("button", { name: "Export" }).click();
    await page.getByRole("menuitem", { name: "CSV" }).click();
  });
  expect(total(readAmounts(ledger, "kind", "charge"))).toBe(all);

  await page.goto(`/statements/${new Date().toISOString().slice(0, 7)}`);
  await shows(page.getByRole("row", { name: /^Charges/ }), all);
  for (const by of ["model", "project"]) {
    const table = page.getByRole("table", { name: `Charges by ${by}, in USD` });
    await shows(table.locator("tbody tr td:last-child"), all);
    await shows(table.locator("tfoot tr td:last-child"), all);
  }
  const button = (name: string) => () => page.getByRole("button", { name, exact: true }).click();
  expect(total(readAmounts(await download(page, button("CSV")), "entry", "charges"))).toBe(all);
  const { charges, lines } = JSON.parse(await download(page, button("JSON"))) as Statement;
  expect([charges, total(lines.map((line) => line.charges))]).toEqual([all, all]);
  await page.getByLabel("Project", { exact: true }).selectOption("Search");
  await shows(
    page.getByRole("table", { name: "Charges by model, in USD" }).locator("tfoot td:last-child"),
    ofSearch,
  );

  for (const [by, noun] of [
    ["model", "model"],
    ["project_id", "project"],
    ["api_key_id", "key"],
  ] as const) {
    await page.goto(`/usage?range=24h&group_by=${by}`);
    await shows(page.getByRole("group", { name: "Metric" }).getByRole("button", { name: "Spend" }), all);
    await shows(page.getByRole("table", { name: `Usage by ${noun}` }).locator("tbody td data"), all);
  }
  await page.goto("/");
  await shows(figure("Spent this month"), all);
  await page.goto(`/projects/${search.id}`);
  await shows(figure("Spent this month"), ofSearch);
  await page.goto(`/projects/${search.id}/keys`);
  await shows(
    page.getByRole("table", { name: "Keys of the project" }).locator("tbody td > data[value]"),
    ofSearch,
  );
  await page.goto("/reconcile");
  await shows(
    page
      .getByRole("row", { name: /^Reported/ })
      .locator("td")
      .last(),
    all,
  );
});
