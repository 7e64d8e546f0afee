import type { Page } from "@playwright/test";
import { adminApi } from "../../support/clients/admin-api";
import { expect, test } from "../../support/fixtures/test";
import { signIn } from "../../support/pages/sign-in";
import { writeLastMonth } from "../../support/stored-data/past-month";

test.use({ scene: "printing", environment: { GATEHOUSE_OPENING_BALANCE: "0" }, colorScheme: "dark" });

test.beforeEach(async ({ page, gatehouse }) => {
  await signIn(page, gatehouse);
  await page.addInitScript(() => localStorage.setItem("theme", "dark"));
});

/** Prints the page as a browser does, and counts the pages of the document. */
async function countPages(page: Page): Promise<number> {
  const document = (await page.pdf({ format: "A4" })).toString("latin1");
  return document.match(/\/Type \/Page\b/g)?.length ?? 0;
}

const readStyle = (page: Page, selector: string, name: string) =>
  page
    .locator(selector)
    .first()
    .evaluate((element, asked) => getComputedStyle(element).getPropertyValue(asked), name);

const readFooter = (page: Page) =>
  page.evaluate(() => document.documentElement.style.getPropertyValue("--print-footer"));

async function expectOnlyPaper(page: Page): Promise<void> {
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  expect(await readStyle(page, "body", "background-color")).toMatch(
    /^(rgb\(255, 255, 255\)|oklch\(1 0 0\)|lab\(100 )/,
  );
  await expect(page.getByRole("banner")).toBeHidden();
  await expect(page.getByRole("navigation")).toHaveCount(0);
  // It would cover the first cells of the last row on each page.
  await expect(page.getByText("Skip to content")).toBeHidden();
  await expect(page.getByRole("button", { name: "Print" })).toBeHidden();
}

// First, since a month before the first entry has no statement.
test("a ledger entry prints on one page, without what corrects it, and a project's statement names the project", async ({
  page,
  gatehouse,
}) => {
  const project = await adminApi(gatehouse).createProject('The "Acme" bot');
  const month = writeLastMonth(gatehouse, project.id);
  await page.goto("/balance/txn_past0");
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Charge of 2.00");
  await expect(page.getByRole("heading", { name: "Corrections" })).toBeVisible();
  await page.emulateMedia({ media: "print" });
  await expect(page.getByRole("heading", { name: "Corrections" })).toBeHidden();
  await expect(page.getByRole("link", { name: "Receipt" })).toBeHidden();
  await expect(page.getByText(/days? ago|hours? ago/)).toBeHidden();
  expect(await countPages(page)).toBe(1);
  await page.emulateMedia({ media: "screen" });

  await page.goto(`/statements/${month.id}?project=${project.id}`);
  await expect(page.getByRole("table", { name: "Charges by model, in USD" })).toContainText("4.00");
  await expect(page.getByRole("row", { name: /^Cost of the month/ })).toContainText("4.00");
  // The organization's, of which a project has a part.
  await expect(page.getByText("Ledger entries")).toHaveCount(0);
  const named = /^"Organization · Statement of \w+ \d{4} · The \\"Acme\\" bot · printed /;
  await expect.poll(() => readFooter(page)).toMatch(named);
  await page.getByLabel("Project", { exact: true }).selectOption("Whole organization");
  await expect.poll(() => readFooter(page)).not.toContain("Acme");
});

test("a statement of many pages prints its rows alone, with heads on every page and sums once", async ({
  page,
  gatehouse,
}) => {
  const payments = Array.from({ length: 120 }, (_, index) => ({
    amount: "1.00",
    reference: `Invoice ${index}`,
  }));
  await adminApi(gatehouse).call("POST", "/payments/import", { payments });
  await page.goto(`/statements/${new Date().toISOString().slice(0, 7)}`);
  // On the screen the table is folded; it prints whole.
  await expect(page.getByText("Invoice 119", { exact: true })).toBeAttached();
  await expectOnlyPaper(page);
  expect(await readStyle(page, ".statement-table thead", "display")).toBe("table-header-group");
  expect(await readStyle(page, ".statement-table tfoot", "display")).toBe("table-row-group");
  expect(await readStyle(page, ".statement-table tbody tr", "break-inside")).toBe("avoid");
  // After a grid of several pages, the next part would cover the last rows.
  expect(await readStyle(page, "#main article", "display")).toBe("block");
  const pages = await countPages(page);
  expect(pages).toBeGreaterThanOrEqual(3);
  expect(pages).toBeLessThanOrEqual(5);
  await expect
    .poll(() => readFooter(page))
    .toMatch(/^"Organization · Statement of \w+ \d{4} · printed \d+ \w+ \d{4}, \d\d:\d\d UTC"$/);
});

test("the calculator prints its tables as tables, on pages that all hold something", async ({ page }) => {
  await page.goto("/calculator?model=sandbox-echo");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("10.00 at rate 0.50 is worth 20.00");
  await expectOnlyPaper(page);
  await expect(page.getByText("Worked examples")).toBeHidden();
  // A select would cut off a long name.
  const line = page.getByRole("group", { name: "sandbox-echo" });
  await expect(line.locator("select")).toBeHidden();
  await expect(line.locator("span").filter({ hasText: /^sandbox-echo$/ })).toBeVisible();
  expect(await readStyle(page, "#main .data-table", "display")).toBe("table");
  expect(await readStyle(page, "#main .data-table th", "position")).toBe("static");
  // Chromium leaves a button out of a head that it repeats.
  expect(await readStyle(page, "#main .data-table th button", "display")).toBe("contents");
  expect(await countPages(page)).toBeLessThanOrEqual(3);
});
