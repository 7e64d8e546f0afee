import type { Locator, Page } from "@playwright/test";
import type { RateLimit } from "@/lib/contract/operations/models/rate-limits";
import { adminApi } from "../../support/clients/admin-api";
import { callModel } from "../../support/clients/send";
import { expect, test } from "../../support/fixtures/test";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { expectNoSidewaysScroll } from "../../support/pages/expect-no-sideways-scroll";
import { holdScripts } from "../../support/pages/hold-scripts";
import { createSelectedProject } from "../../support/pages/select-project";
import { signIn } from "../../support/pages/sign-in";
import { PHONE } from "../../support/pages/viewports";

test.use({ scene: "limit-grid", permissions: ["clipboard-read", "clipboard-write"] });

type Api = ReturnType<typeof adminApi>;
let api: Api;
let projectId: string;

test.beforeEach(async ({ page, context, gatehouse }, { title }) => {
  api = adminApi(gatehouse);
  projectId = await createSelectedProject(context, gatehouse, title.slice(0, 60));
  await signIn(page, gatehouse);
});

const REQUESTS = 0;
const TOKENS = 1;
const IMAGES = 2;

/** A cell of the grid: the limit of a model in a column. */
const cellOf = (page: Page, model: string, column: number): Locator =>
  page
    .getByRole("row")
    .filter({ has: page.getByRole("rowheader", { name: new RegExp(`^${model}\\b`) }) })
    .getByRole("gridcell")
    .nth(column);

/** What the foot of the screen says about the draft. */
const draftOf = (page: Page): Locator => page.locator("[data-footer]");

async function open(page: Page, model = "sandbox-echo"): Promise<void> {
  await page.goto(`/projects/${projectId}/limits`);
  await expect(cellOf(page, model, REQUESTS)).toContainText("600");
  // The grid takes keys from then on.
  await expect(page.locator("[data-taking-over]")).toHaveCount(0, { timeout: 20_000 });
}

async function readLimits(): Promise<Map<string, RateLimit>> {
  const { data } = await api.call<{ data: RateLimit[] }>(
    "GET",
    `/projects/${projectId}/rate_limits?limit=1000`,
  );
  return new Map(data.map((limit) => [limit.model, limit]));
}

/** Puts text on the clipboard as a spreadsheet does, and pastes it where the cursor is. */
async function paste(page: Page, text: string): Promise<void> {
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
  await page.keyboard.press("ControlOrMeta+V");
}

test("thirty limits from a spreadsheet are pasted, reviewed and saved in three clicks, and undone by somebody else", async ({
  page,
  browser,
  gatehouse,
}) => {
  const models = Array.from({ length: 30 }, (_, at) => `zz-bulk-${String(at).padStart(2, "0")}`);
  for (const id of models) {
    await api.createModel({
      id,
      family: "chat",
      rate: "1",
      price: { input_per_1m: "1", output_per_1m: "2" },
      routes: [{ provider: "sandbox", model: "sandbox-echo" }],
    });
  }
  await open(page, "zz-bulk-00");
  await page.evaluate(() => {
    document.body.dataset["clicks"] = "0";
    const count = () =>
      (document.body.dataset["clicks"] = String(Number(document.body.dataset["clicks"]) + 1));
    document.addEventListener("click", count, { capture: true });
  });
  await cellOf(page, "zz-bulk-00", REQUESTS).click();
  await paste(
    page,
    models.map((_, at) => `${at + 1},000\t2.000.${String(at).padStart(3, "0")}\tno limit`).join("\r\n"),
  );
  await expect(draftOf(page).getByText("60 changes", { exact: true })).toBeVisible();
  await expect(cellOf(page, "zz-bulk-05", TOKENS)).toHaveText("1,000,0002,000,005");
  await expectNoAxeViolations(page);
  await page.getByRole("button", { name: "Review 60 changes" }).click();
  await expect(page.getByRole("heading", { name: "No call would have had another outcome" })).toBeVisible();
  await expectNoAxeViolations(page);
  await page.getByRole("button", { name: "Save 60 changes" }).click();
  await expect(
    page.getByRole("region", { name: "Notifications" }).getByText("Saved 60 changes"),
  ).toBeVisible();
  await expect(cellOf(page, "zz-bulk-02", REQUESTS)).toHaveText("3,000");
  expect(Number(await page.evaluate(() => document.body.dataset["clicks"]))).toBeLessThanOrEqual(6);
  const saved = await readLimits();
  expect(saved.get("zz-bulk-07")).toMatchObject({
    max_requests_per_1_minute: 8_000,
    max_tokens_per_1_minute: 2_000_007,
    max_images_per_1_minute: null,
  });

  // Somebody else changes one of them, and then takes the rest back.
  await api.saveRateLimit(projectId, "zz-bulk-03", { max_requests_per_1_minute: 5 });
  const { value } = await api.call<{ value: string }>("POST", "/admin_api_keys", { name: "Second admin" });
  const other = await browser.newPage({ baseURL: gatehouse.consoleUrl });
  await signIn(other, gatehouse, value);
  await other.goto(`/projects/${projectId}/limits`);
  await other.getByRole("button", { name: "Saved changes" }).click();
  await expect(other.getByRole("dialog").getByText("Changed 30 rows")).toBeVisible();
  await expectNoAxeViolations(other);
  await other.getByRole("dialog").getByRole("button", { name: "Undo" }).click();
  await expect(other.getByText(/Put 59 limits back\. 1 limit changed since/).first()).toBeVisible();
  const undone = await readLimits();
  expect(undone.get("zz-bulk-07")).toMatchObject({ max_requests_per_1_minute: 600 });
  expect(undone.get("zz-bulk-03")).toMatchObject({
    max_requests_per_1_minute: 5,
    max_tokens_per_1_minute: 1_000_000,
  });
  await other.close();
});

test("by keyboard alone: type, fill, refuse, undo, go back to the default, and open the form of a row", async ({
  page,
}) => {
  await api.saveRateLimit(projectId, "sandbox-chat", { max_requests_per_1_minute: 50 });
  await open(page);
  const editor = page.locator("[data-cell-input]");
  await editor.focus();
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("Control+ArrowDown");
  await expect(editor).toHaveAccessibleName(/sandbox-chat, Requests per minute: 50, set by hand$/);
  await page.keyboard.type("x2");
  await expect(page.getByRole("status").getByText("100 requests in any minute")).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(cellOf(page, "sandbox-chat", REQUESTS)).toHaveText("50100");

  // What isn't understood stays, and keeps the draft from being saved.
  await page.keyboard.type("many");
  await page.keyboard.press("Tab");
  await expect(draftOf(page).getByText("2 changes", { exact: true })).toBeVisible();
  await expect(page.getByText("1 not understood")).toBeVisible();
  await expect(page.getByRole("button", { name: "Save", exact: true })).toBeDisabled();
  await expectNoAxeViolations(page);
  await page.keyboard.press("ControlOrMeta+Z");
  await expect(page.getByText("1 not understood")).toHaveCount(0);

  // Four cells at once, and one of them back.
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("ArrowRight");
  for (let row = 0; row < 3; row++) await page.keyboard.press("Shift+ArrowDown");
  await page.keyboard.type("1.5m");
  await page.keyboard.press("ControlOrMeta+Enter");
  await expect(draftOf(page).getByText("5 changes", { exact: true })).toBeVisible();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Delete");
  await expect(draftOf(page).getByText("4 changes", { exact: true })).toBeVisible();

  await page.keyboard.press("Home");
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/limits\/[^/]+$/);
  await expect(page.getByText("Rate limits in project")).toBeVisible();
  await page.goBack();
  await expect(draftOf(page).getByText("4 changes", { exact: true })).toBeVisible();
});

test("a draft survives a reload and a sign-out, and warns where somebody saved the same cell", async ({
  page,
  gatehouse,
}) => {
  await open(page);
  await cellOf(page, "sandbox-echo", REQUESTS).click();
  await page.keyboard.type("700");
  await page.keyboard.press("Enter");
  await cellOf(page, "sandbox-echo", TOKENS).click();
  await page.keyboard.type("2m");
  await page.keyboard.press("Enter");
  await expect(draftOf(page).getByText("2 changes", { exact: true })).toBeVisible();
  await page.reload();
  await expect(draftOf(page).getByText("2 changes", { exact: true })).toBeVisible();

  await page.getByRole("button", { name: /^Signed in as/ }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.waitForURL(/sign-in/);
  await api.saveRateLimit(projectId, "sandbox-echo", { max_requests_per_1_minute: 650 });
  await signIn(page, gatehouse);
  await page.goto(`/projects/${projectId}/limits`);
  await expect(page.getByText("Somebody saved 1 limit that you changed")).toBeVisible();
  await expect(page.getByRole("button", { name: "Save", exact: true })).toBeDisabled();
  await expectNoAxeViolations(page);
  await page.getByRole("button", { name: "Keep mine" }).click();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(
    page.getByRole("region", { name: "Notifications" }).getByText("Saved 2 changes"),
  ).toBeVisible();
  expect((await readLimits()).get("sandbox-echo")).toMatchObject({
    max_requests_per_1_minute: 700,
    max_tokens_per_1_minute: 2_000_000,
  });
  await page.getByRole("button", { name: "Undo", exact: true }).last().click();
  await expect(page.getByText("Put 2 limits back.").first()).toBeVisible();
  await expect(cellOf(page, "sandbox-echo", REQUESTS)).toHaveText("650");
});

test("rows are found, sorted and counted, and neither no limit nor one that doesn’t apply is taken for a number", async ({
  page,
}) => {
  await api.saveRateLimit(projectId, "sandbox-slow", { max_requests_per_1_day: 7 });
  await api.createModel({
    id: "vectors",
    family: "embedding",
    rate: "0.5",
    price: { input_per_1m: "1", output_per_1m: "0" },
    routes: [{ provider: "sandbox", model: "sandbox-echo" }],
  });
  await open(page);
  const names = page.getByRole("rowheader");
  await page.getByRole("button", { name: "Requests / day" }).click();
  await page.getByRole("button", { name: "Requests / day" }).click();
  await expect(names.first()).toHaveText(/^sandbox-slow/);
  await expect(cellOf(page, "sandbox-slow", REQUESTS)).toHaveText("600");
  await expect(cellOf(page, "vectors", IMAGES)).toHaveText("n/a");
  await expect(cellOf(page, "sandbox-slow", IMAGES)).toHaveText("no limit");
  await page.getByRole("button", { name: /^Set by hand/ }).click();
  await expect(names).toHaveText([/^sandbox-slow/]);
  await page.getByRole("button", { name: /^Set by hand/ }).click();
  await page.getByRole("searchbox", { name: "Search models" }).fill("vect");
  await expect(names).toHaveText([/^vectors/]);
  await expect(page).toHaveURL(/q=vect/);
  await page.getByRole("searchbox", { name: "Search models" }).fill("nothing like it");
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect(cellOf(page, "sandbox-echo", REQUESTS)).toBeVisible();
});

test("live use is a bar and from 80 % a word, those rows are found, and what is typed says its effect", async ({
  page,
  gatehouse,
}) => {
  const key = await api.createKey(projectId, "nightly");
  await api.saveRateLimit(projectId, "sandbox-chat", { max_requests_per_1_minute: 1 });
  await open(page);
  await callModel(gatehouse, key.value, "sandbox-chat", { status: 200 });
  await expect(cellOf(page, "sandbox-chat", REQUESTS)).toContainText("used up");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/used up/);
  await page.getByRole("button", { name: /^Above 80 %/ }).click();
  await expect(page.getByRole("rowheader")).toHaveText([/^sandbox-chat/]);
  await expectNoAxeViolations(page);
  await cellOf(page, "sandbox-chat", REQUESTS).click();
  await page.keyboard.type("0");
  const effect = "would have refused 1 more of 1 call in the last 7 days";
  await expect(page.getByRole("status", { name: "Effect of this cell" })).toHaveText(effect);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("status", { name: "Effect of the draft" })).toHaveText(effect);
  await expectNoAxeViolations(page);
});

test("on a phone each row is listed with its six limits, and leads to its form", async ({ page }) => {
  await page.setViewportSize(PHONE);
  await page.goto(`/projects/${projectId}/limits`);
  const item = page.getByRole("listitem").filter({ has: page.getByRole("link", { name: "sandbox-echo" }) });
  await expect(item.getByRole("definition")).toHaveCount(6);
  await expectNoSidewaysScroll(page);
  await expectNoAxeViolations(page);
  await item.getByRole("link").click();
  await page.waitForURL(/\/limits\/sandbox-echo$/);
});

test("a cell that is pressed before the grid takes keys is forgotten for a press elsewhere", async ({
  page,
}) => {
  const release = await holdScripts(page);
  await page.goto(`/projects/${projectId}/limits`, { waitUntil: "commit" });
  await cellOf(page, "sandbox-echo", REQUESTS).click();
  const search = page.getByRole("searchbox").first();
  await search.click();
  await page.keyboard.type("slow");
  await release();
  await expect(page.locator("[data-taking-over]")).toHaveCount(0, { timeout: 20_000 });
  await expect(search).toHaveValue("slow");
  await expect(search).toBeFocused();
  await expect(draftOf(page).getByText("Nothing is saved")).toBeVisible();
});

test("what is typed into a cell before the grid takes keys is in it afterwards", async ({ page }) => {
  const release = await holdScripts(page);
  await page.goto(`/projects/${projectId}/limits`, { waitUntil: "commit" });
  await cellOf(page, "sandbox-echo", REQUESTS).click();
  await page.keyboard.type("1.25k");
  await page.keyboard.press("Backspace");
  await page.keyboard.press("Backspace");
  await page.keyboard.type("k");
  await page.keyboard.press("Tab");
  await page.keyboard.type("2m");
  await release();
  await expect(page.locator("[data-taking-over]")).toHaveCount(0, { timeout: 20_000 });
  await expect(cellOf(page, "sandbox-echo", REQUESTS)).toHaveText("6001,200");
  await page.keyboard.press("Enter");
  await expect(cellOf(page, "sandbox-echo", TOKENS)).toHaveText("1,000,0002,000,000");
  await expect(draftOf(page).getByText("2 changes", { exact: true })).toBeVisible();
});

test("what is being typed stays while thousands of further rows come in", async ({ page }) => {
  // With the sandbox's models they are more rows than are arranged at once.
  const names = Array.from({ length: 300 }, (_, index) => `Many ${index}`);
  for (let at = 0; at < names.length; at += 20) {
    await Promise.all(names.slice(at, at + 20).map((name) => api.call("POST", "/projects", { name })));
  }
  let release = () => {};
  const typed = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/organization-rate-limits\?.*after=/, async (route) => {
    await typed;
    await route.continue();
  });
  await page.goto("/projects/all/limits?group=none");
  await expect(page.locator("[data-taking-over]")).toHaveCount(0, { timeout: 20_000 });
  await page.getByRole("gridcell").first().click();
  await page.keyboard.type("45");
  release();
  await expect(page.getByText(/^Rate limits of 3\d\d projects .* rows\./)).toBeVisible({ timeout: 20_000 });
  await page.keyboard.type("0");
  await page.keyboard.press("Enter");
  await expect(draftOf(page)).toContainText("1 change in the defaults");
  await expect(page.getByRole("gridcell").first()).toContainText("450");
});
