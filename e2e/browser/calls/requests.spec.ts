import type { Page } from "@playwright/test";
import type { CreatedProjectApiKey } from "@/lib/contract/operations/keys/project-api-keys";
import { adminApi } from "../../support/clients/admin-api";
import { callModel } from "../../support/clients/send";
import { expect, test } from "../../support/fixtures/test";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { expectNoSidewaysScroll } from "../../support/pages/expect-no-sideways-scroll";
import { openAsMember } from "../../support/pages/open-as-member";
import { signIn } from "../../support/pages/sign-in";
import { PHONE } from "../../support/pages/viewports";

test.use({ scene: "requests" });

type Api = ReturnType<typeof adminApi>;
let api: Api;
let project: { id: string; name: string };
let key: CreatedProjectApiKey;
let call: (model: string, status?: number) => Promise<string>;

test.beforeEach(async ({ page, gatehouse }, { title }) => {
  api = adminApi(gatehouse);
  project = await api.createProject(title.slice(0, 100));
  key = await api.createKey(project.id, "nightly-eval");
  call = (model, status = 200) => callModel(gatehouse, key.value, model, { status });
  await signIn(page, gatehouse);
});

const limit = (model: string, limits: object) =>
  api.call("POST", `/projects/${project.id}/rate_limits/${model}`, limits);
const here = (rest = "") => `/requests?project_id=${project.id}${rest}`;
const table = (page: Page) => page.getByRole("table", { name: "Calls, newest first" });

test("calls are listed newest first; new ones are announced and shown on request", async ({ page }) => {
  await call("sandbox-echo");
  await call("sandbox-500", 502);
  await page.goto(here());
  const rows = table(page).getByRole("row");
  await expect(rows).toHaveCount(3);
  await expect(rows.nth(1)).toContainText("Provider failed");
  await expect(rows.nth(2)).toContainText("Completed");
  await expect(rows.nth(2)).toContainText("nightly-eval");
  await expectNoAxeViolations(page);
  await call("sandbox-echo");
  const announced = page.getByRole("button", { name: "1 new call" });
  await expect(announced).toBeVisible({ timeout: 15_000 });
  await expect(rows).toHaveCount(3);
  await announced.click();
  await expect(rows).toHaveCount(4);
  await expect(announced).toBeHidden();
});

test("a refused export is told on the page, which stays as it is", async ({ page }) => {
  await call("sandbox-echo");
  await page.goto(here());
  await expect(table(page).getByRole("row")).toHaveCount(2);
  await page.route(/export=csv/, (route) =>
    route.fulfill({
      status: 503,
      json: { problem: { code: "unreachable", message: "No gateway answers.", fields: {} } },
    }),
  );
  await page.getByRole("button", { name: "Export" }).click();
  await page.getByRole("menuitem", { name: /CSV/ }).click();
  await expect(page.getByText("No gateway answers.")).toBeVisible();
  await expect(table(page).getByRole("row")).toHaveCount(2);
});

test("a call refused before its limits shows the reason, and calls are exported line by line", async ({
  page,
}) => {
  await call("sandbox-echo");
  await call("sandbox-none", 404);
  await call("sandbox-echo");
  await page.goto(here());
  await expect(table(page).getByRole("row")).toHaveCount(4);
  await page.getByRole("button", { name: "Export" }).click();
  const download = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: /NDJSON/ }).click();
  const lines = await new Response((await (await download).createReadStream()) as never).text();
  const exported = lines
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(exported.map(({ refused_by }) => refused_by)).toEqual([null, "model_not_found", null]);
  await table(page).getByRole("row").nth(2).getByRole("link").first().click();
  const drawer = page.getByRole("dialog", { name: "The model can’t be called" });
  await expect(drawer).toContainText("There is no model sandbox-none.");
  await expect(drawer.getByRole("link", { name: "Open in playground" })).toBeHidden();
  await expectNoAxeViolations(page);
});

test("a refused call is read like a story, beside the list, by keyboard, and at its own address", async ({
  page,
}) => {
  await limit("sandbox-chat", { max_requests_per_1_minute: 1 });
  await call("sandbox-chat");
  const refused = await call("sandbox-chat", 429);
  await call("sandbox-echo");
  await page.goto(here("&outcome=refused"));
  await expect(table(page).getByRole("row")).toHaveCount(2);
  await table(page).getByRole("link").first().press("Enter");
  const drawer = page.getByRole("dialog", { name: "Requests per minute is used up" });
  await expect(drawer).toContainText("It needed 1 request, and 0 of 1 were left.");
  await expect(drawer).toContainText("A limit of 2 or more would have let it through.");
  await expect(drawer.getByRole("listitem").filter({ hasText: "Requests per minute" })).toContainText(
    "1 of 1, needs 1",
  );
  await expect(drawer.getByRole("listitem").filter({ hasText: "Balance" })).toContainText("passed");
  await expect(drawer).toContainText("no provider was called");
  await expectNoAxeViolations(page);
  await page.keyboard.press("Escape");
  await expect(drawer).toBeHidden();
  await expect(page).not.toHaveURL(/open=/);

  // Back closes it as well, and stays on the list.
  await table(page).getByRole("link").first().press("Enter");
  await expect(drawer).toBeVisible();
  await page.goBack();
  await expect(drawer).toBeHidden();
  await expect(table(page).getByRole("row")).toHaveCount(2);

  await page.goto(`/requests/${refused}`);
  await expect(page.getByRole("heading", { level: 1, name: "Requests per minute is used up" })).toBeVisible();
  await expectNoAxeViolations(page);
  await page.getByRole("link", { name: "Change the limit" }).click();
  await expect(page).toHaveURL(/\/limits\/sandbox-chat/);
});

test("who may only read limits is led to view the one that refused, not to change it", async ({
  page,
  context,
  gatehouse,
}) => {
  await limit("sandbox-chat", { max_requests_per_1_minute: 0 });
  const refused = await call("sandbox-chat", 429);
  await openAsMember(context, gatehouse, { email: "reading@example.com", name: "Rea", role: "reader" });
  await page.goto(`/requests/${refused}`);
  const view = page.getByRole("link", { name: "View the limit" });
  await expect(view).toBeVisible();
  await expect(page.getByRole("link", { name: "Change the limit" })).toHaveCount(0);
  await view.click();
  await expect(page).toHaveURL(/\/limits\/sandbox-chat/);
  await expect(page.getByText("You can view these limits but not change them")).toBeVisible();
});

test("a receipt's hold is the sum of its charge and its release, and its entry is the one in the ledger", async ({
  page,
}) => {
  const id = await call("sandbox-echo");
  await page.goto(here());
  await table(page).getByRole("link").first().click();
  const drawer = page.getByRole("dialog", { name: "Completed" });
  const shown = async (name: string) =>
    drawer.locator("dt", { hasText: name }).locator("+ dd").locator("data").getAttribute("value");
  await expect(drawer).toContainText("Released");
  const [held, charged, released] = await Promise.all(["Held", "Charged", "Released"].map(shown));
  expect(Number(held)).toBeCloseTo(Number(released) - Number(charged), 12);
  await drawer.getByRole("link", { name: /USD/ }).click();
  await expect(page).toHaveURL(new RegExp(`/balance/txn_${id.slice(4)}`));
  await page.getByRole("main").getByRole("link", { name: "Receipt" }).first().click();
  await expect(page).toHaveURL(new RegExp(`/requests/${id}`));
});

test("filters and columns can be combined, are in the URL and survive a reload", async ({ page }) => {
  const failed = await call("sandbox-500", 502);
  await call("sandbox-echo");
  await page.goto(here());
  await expect(table(page).getByRole("row")).toHaveCount(3);
  await page.getByLabel("Outcome", { exact: true }).selectOption("Provider failed");
  await expect(table(page).getByRole("row")).toHaveCount(2);
  await page.getByRole("button", { name: "Filters" }).click();
  await page.getByLabel("Status").fill("502");
  await expect(page).toHaveURL(/outcome=provider_failed&status=502/);
  await page.getByRole("button", { name: "Columns" }).click();
  const requestId = page.getByRole("menuitemcheckbox", { name: "Request id" });
  await requestId.click();
  await expect(requestId).toBeChecked();
  await expect(requestId).toBeFocused();
  await page.reload();
  await expect(table(page).getByRole("row")).toHaveCount(2);
  await expect(table(page)).toContainText(failed);
  await expect(page.getByLabel("Status")).toHaveValue("502");
  await expectNoAxeViolations(page);
  await page.getByLabel("Status").fill("418");
  await expect(page.getByText("No calls match these filters")).toBeVisible();
  await page.getByRole("button", { name: "Clear" }).click();
  await expect(page.getByLabel("Project", { exact: true })).toHaveValue("");
});

test("on a phone each call is a few lines, and nothing scrolls sideways", async ({ page }) => {
  await page.setViewportSize(PHONE);
  await call("sandbox-echo");
  await page.goto(here());
  await expect(table(page).getByRole("row").nth(1)).toContainText("Completed");
  await expectNoSidewaysScroll(page);
  await table(page).getByRole("link").first().click();
  await expect(page.getByRole("dialog", { name: "Completed" })).toBeVisible();
  await expectNoSidewaysScroll(page);
  await expectNoAxeViolations(page);
});

test("an address without a receipt explains why; a failed list says so and can be retried", async ({
  page,
}) => {
  await page.goto("/requests/req_none");
  await expect(page.getByText("There is no such call")).toBeVisible();
  await expectNoAxeViolations(page);
  await page.goto(here());
  await expect(
    page.getByText("No calls in this period").or(page.getByText("No calls match these filters")),
  ).toBeVisible();
  await expectNoAxeViolations(page);
});
