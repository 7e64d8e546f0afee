import type { Page } from "@playwright/test";
import { adminApi } from "../../support/clients/admin-api";
import { callModel } from "../../support/clients/send";
import { expect, test } from "../../support/fixtures/test";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { expectNoSidewaysScroll } from "../../support/pages/expect-no-sideways-scroll";
import { signIn } from "../../support/pages/sign-in";
import { PHONE } from "../../support/pages/viewports";

test.use({ scene: "usage" });

type Api = ReturnType<typeof adminApi>;
let api: Api;
let project: { id: string; name: string };
let call: (model: string, status?: number) => Promise<string>;

test.beforeEach(async ({ page, gatehouse }, { title }) => {
  api = adminApi(gatehouse);
  project = await api.createProject(title.slice(0, 100));
  const key = await api.createKey(project.id, "nightly-eval");
  call = (model, status = 200) => callModel(gatehouse, key.value, model, { status });
  await signIn(page, gatehouse);
});

const here = (rest = "") => `/usage?project_id=${project.id}${rest}`;
const metric = (page: Page, name: string) =>
  page.getByRole("group", { name: "Metric" }).getByRole("button", { name });
const groups = (page: Page, by: string) => page.getByRole("table", { name: `Usage by ${by}` });

test("shows cost, number and failures of calls in chart and table", async ({ page }) => {
  await call("sandbox-echo");
  await call("sandbox-echo");
  await call("sandbox-500", 502);
  await api.call("POST", `/projects/${project.id}/rate_limits/sandbox-chat`, {
    max_requests_per_1_minute: 0,
  });
  await call("sandbox-chat", 429);
  await call("sandbox-echo");
  const charges = await api.call<{ data: { amount: string; project_id: string }[] }>(
    "GET",
    "/ledger?kind=charge&limit=1000",
  );
  const own = charges.data.filter(({ project_id }) => project_id === project.id).map(({ amount }) => amount);
  expect(own).toHaveLength(3);
  const nano = own.reduce((sum, amount) => sum + Math.round(Number(amount) * 1e9), 0);
  const spend = (nano / 1e9).toFixed(9).replace(/0+$/, "");

  await page.goto(here("&range=1h&group_by=model"));
  await expect(metric(page, "Requests")).toContainText("4");
  await expect(metric(page, "Spend")).toContainText(spend);
  await expect(metric(page, "Errors and refusals")).toContainText("2");
  const row = groups(page, "model").getByRole("row").filter({ hasText: "sandbox-echo" });
  await expect(row.getByRole("cell").nth(1)).toHaveText("3");
  await expect(row.getByRole("cell").filter({ hasText: spend })).toBeVisible();
  await expect(
    groups(page, "model").getByRole("row").filter({ hasText: "sandbox-500" }).getByRole("cell").nth(5),
  ).toHaveText("1");
  await expectNoAxeViolations(page);

  await metric(page, "Requests").click();
  await expect(page).toHaveURL(/metric=requests/);
  const chart = page.getByRole("slider", { name: "Requests over time" });
  await chart.focus();
  // A new minute may have begun since the calls.
  const read = async () => (await chart.getAttribute("aria-valuetext")) ?? "";
  await expect(async () => {
    if (!/sandbox-echo \d/.test(await read())) await chart.press("ArrowLeft");
    expect(await read()).toMatch(/sandbox-echo \d/);
  }).toPass();
  await page.getByText("Show as a table").click();
  const table = page.getByRole("region", { name: "Requests over time, as a table" });
  const counted = await table
    .getByRole("row")
    .evaluateAll((rows) =>
      rows.slice(1).reduce((sum, line) => sum + Number(line.querySelectorAll("td")[0]?.textContent ?? 0), 0),
    );
  expect(counted).toBe(3);
  await expectNoAxeViolations(page);
});

test("grouping, filters and range are in the URL; a group is opened by keyboard, a range by dragging", async ({
  page,
}) => {
  await call("sandbox-echo");
  await page.goto(here("&range=1h"));
  await page.getByLabel("Group by").selectOption("Key");
  await expect(groups(page, "key").getByRole("row").nth(1)).toContainText("nightly-eval");
  await groups(page, "key").getByRole("link", { name: "nightly-eval" }).press("Enter");
  await expect(page).toHaveURL(/api_key_id=key_/);
  await expect(groups(page, "model").getByRole("row").nth(1)).toContainText("sandbox-echo");
  await expect(page.getByLabel("Key", { exact: true })).not.toHaveValue("");
  const chart = page.getByRole("slider", { name: /Spend over time/ });
  await chart.focus();
  await page.keyboard.press("Shift+ArrowLeft");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/from=\d+&to=\d+/);
  await page.reload();
  await expect(groups(page, "model").getByRole("row").nth(1)).toContainText("sandbox-echo");
  await page.getByRole("button", { name: "Clear" }).click();
  await expect(page.getByLabel("Project", { exact: true })).toHaveValue("");
});

test("without a call the screen says so; on a phone nothing scrolls sideways", async ({ page }) => {
  await page.goto(here());
  await expect(page.getByText("No calls match these filters")).toBeVisible();
  await expectNoAxeViolations(page);
  await call("sandbox-echo");
  await page.setViewportSize(PHONE);
  await page.goto(here("&group_by=model"));
  await expect(groups(page, "model").getByRole("row").nth(1)).toContainText("sandbox-echo");
  await expectNoSidewaysScroll(page);
  await expectNoAxeViolations(page);
});
