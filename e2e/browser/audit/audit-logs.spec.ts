import type { Page } from "@playwright/test";
import { adminApi } from "../../support/clients/admin-api";
import { expect, test } from "../../support/fixtures/test";
import { chooseOption } from "../../support/pages/choose-option";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { expectNoSidewaysScroll } from "../../support/pages/expect-no-sideways-scroll";
import { openAsMember } from "../../support/pages/open-as-member";
import { signIn } from "../../support/pages/sign-in";
import { PHONE } from "../../support/pages/viewports";

test.use({ scene: "audit-logs" });

type Api = ReturnType<typeof adminApi>;
let api: Api;
let project: { id: string; name: string };

test.beforeEach(async ({ page, gatehouse }, { title }) => {
  api = adminApi(gatehouse);
  project = await api.createProject(title.slice(0, 60));
  await signIn(page, gatehouse);
});

const table = (page: Page) => page.getByRole("table", { name: "Changes, newest first" });
const here = (rest = "") => `/audit-logs?project_ids=${project.id}${rest}`;

test("the log shows in words the actor and the values before and after a change", async ({ page }) => {
  await api.saveRateLimit(project.id, "sandbox-echo", { max_requests_per_1_minute: 3 });
  await api.saveRateLimit(project.id, "sandbox-echo", { max_images_per_1_minute: 20 });
  await page.goto(here());
  const rows = table(page).getByRole("row");
  await expect(rows).toHaveCount(4);
  await expect(rows.nth(1)).toContainText("Changed rate limits · sandbox-echo in");
  await expect(rows.nth(1)).toContainText("Images per minute no limit→20");
  await expect(rows.nth(2)).toContainText("Requests per minute 600→3");
  await expect(rows.nth(2)).toContainText("First admin key");
  await expect(rows.nth(3)).toContainText("Created project");
  await expectNoAxeViolations(page);
});

test("an event opens beside the list, by keyboard, and at its own address with all that is stored", async ({
  page,
}) => {
  await api.call("POST", `/projects/${project.id}`, { name: "Renamed" });
  await page.goto(here());
  await table(page).getByRole("link").first().press("Enter");
  const drawer = page.getByRole("dialog", { name: "Renamed project" });
  await expect(drawer.getByRole("region", { name: "Change" })).toContainText("Renamed");
  await expect(drawer).toContainText("127.0.0.1");
  await page.keyboard.press("j");
  await expect(page.getByRole("dialog", { name: "Created project" })).toBeVisible();
  await expectNoAxeViolations(page);
  await page.getByRole("link", { name: "Open page" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Created project" })).toBeVisible();
  await page.getByText("Raw event").click();
  await expect(page.getByText('"object": "projects"')).toBeVisible();
  await expectNoAxeViolations(page);
});

test("filters can be combined, are in the URL and survive a reload", async ({ page }) => {
  await api.saveRateLimit(project.id, "sandbox-echo", { max_requests_per_1_minute: 41 });
  await api.saveRateLimit(project.id, "sandbox-chat", { max_requests_per_1_minute: 42 });
  await page.goto(here());
  await page.getByRole("button", { name: "What was done: Any change" }).click();
  await page.getByRole("searchbox", { name: "Search what was done" }).fill("changed rate");
  await page.getByRole("menuitemradio", { name: "Changed rate limits" }).click();
  await expect(table(page).getByRole("row")).toHaveCount(3);
  await chooseOption(page, "Person", "First admin key · admin key");
  await expect(page).toHaveURL(/actor_ids=key_/);
  await expect(table(page).getByRole("row")).toHaveCount(3);
  await page.getByRole("searchbox", { name: "Search the log" }).fill("SANDBOX-chat");
  await expect(table(page).getByRole("row")).toHaveCount(2);
  await page.getByRole("button", { name: "Filters" }).click();
  await page.getByLabel("Network address").fill("127.0.0.1");
  await expect(page).toHaveURL(/text=SANDBOX-chat.*ip_addresses=127\.0\.0\.1/);
  await page.reload();
  await expect(table(page).getByRole("row")).toHaveCount(2);
  await page.getByLabel("Network address").fill("192.0.2.1");
  await expect(page.getByText("No event fits these filters")).toBeVisible();
  await expectNoAxeViolations(page);
  await page.getByRole("button", { name: "Clear" }).click();
  await expect(table(page)).toBeVisible();
});

test("the chain is verified, and an export is whole and carries its head", async ({ page }) => {
  for (let index = 0; index < 60; index++) {
    await api.call("POST", `/projects/${project.id}`, { name: `Name ${index}` });
  }
  await page.goto(here());
  await expect(page.getByText(/Verified to event [\d,]+/)).toBeVisible();
  await page.getByRole("button", { name: "Export" }).click();
  const download = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: /NDJSON/ }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^audit-logs-\d+-[0-9a-f]{64}\.ndjson$/);
  const lines = await new Response((await file.createReadStream()) as never).text();
  expect(lines.trim().split("\n")).toHaveLength(61);
});

test("a change is reverted by a new one, which is refused with a reason once later changes follow", async ({
  page,
}) => {
  await api.saveRateLimit(project.id, "sandbox-echo", { max_requests_per_1_minute: 3 });
  await page.goto(here("&event_types=rate_limit.updated"));
  await table(page).getByRole("link").first().click();
  await page.getByRole("button", { name: "Revert" }).click();
  const question = page.getByRole("dialog", { name: /^Revert this change of sandbox-echo/ });
  await expect(question).toContainText("Requests per minute 3→600");
  await expectNoAxeViolations(page);
  await question.getByRole("button", { name: "Revert change" }).click();
  await expect(table(page).getByRole("row")).toHaveCount(3);
  await expect(table(page).getByRole("row").nth(1)).toContainText("Requests per minute 3→600");
  await expect(question).toBeHidden();

  await api.saveRateLimit(project.id, "sandbox-echo", { max_requests_per_1_minute: 7 });
  await page.getByRole("button", { name: "Revert" }).click();
  await page.getByRole("button", { name: "Revert change" }).click();
  await expect(question.getByRole("alert")).toContainText("Requests per minute has been changed again");
  expect(
    (
      await api.call<{ head: { length: number }; data: { type: string }[] }>(
        "GET",
        `/audit_logs?project_ids=${project.id}&event_types=rate_limit.updated`,
      )
    ).data,
  ).toHaveLength(3);
});

test("explains why a change can't be reverted", async ({ page }) => {
  await page.goto(here("&event_types=project.created"));
  await table(page).getByRole("link").first().click();
  await expect(page.getByRole("dialog")).toContainText("Created objects are deleted on their own pages.");
});

test("objects lead to their own history", async ({ page }) => {
  const role = await api.call<{ id: string; name: string }>("POST", "/roles", {
    role_name: `Auditors of ${project.id}`,
    permissions: ["api.models.read"],
  });
  await api.call("POST", `/roles/${role.id}`, { description: "Looks" });
  await page.goto(`/roles/${role.id}`);
  await page.getByRole("link", { name: "History" }).click();
  await expect(table(page).getByRole("row")).toHaveCount(3);
  await expect(table(page)).toContainText("Description none→Looks");
  await expect(page.getByLabel("Object id")).toHaveValue(role.id);
  for (const path of ["/models/sandbox-echo", "/rate-limits/rl_sandbox-echo", `/projects/${project.id}`]) {
    await page.goto(path);
    await expect(page.getByRole("link", { name: "History" })).toBeVisible();
  }
});

test("a person who may not see the audit log reads which permission is missing", async ({
  page,
  context,
  gatehouse,
}) => {
  await context.clearCookies();
  await openAsMember(context, gatehouse, { email: "finn@example.com", name: "Finn", role: "finance" });
  await page.goto("/audit-logs");
  await expect(page.getByText("api.audit_logs.read")).toBeVisible();
  await expectNoAxeViolations(page);
});

test("on a phone the log is a list that doesn't scroll sideways", async ({ page }) => {
  await page.setViewportSize(PHONE);
  await api.saveRateLimit(project.id, "sandbox-echo", { max_requests_per_1_minute: 3 });
  await page.goto(here());
  await expect(table(page).getByRole("row").nth(1)).toContainText("Requests per minute");
  await expectNoSidewaysScroll(page);
  await expectNoAxeViolations(page);
});
