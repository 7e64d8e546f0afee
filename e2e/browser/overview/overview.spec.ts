import type { Page } from "@playwright/test";
import { sealSession } from "@/lib/console/sign-in/seal-session";
import type { Balance } from "@/lib/contract/operations/money/balance";
import { loadSecret } from "@/lib/secret/load-secret";
import { adminApi } from "../../support/clients/admin-api";
import { alertAt, fireSpendAlert } from "../../support/clients/fire-alert";
import { callModel } from "../../support/clients/send";
import { expect, test } from "../../support/fixtures/test";
import { expectAccessible } from "../../support/pages/expect-accessible";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { openAsMember } from "../../support/pages/open-as-member";
import { openSpecificationConsole } from "../../support/pages/open-specification-console";
import { selectProject } from "../../support/pages/select-project";
import { signIn } from "../../support/pages/sign-in";
import { PHONE } from "../../support/pages/viewports";
import type { Gatehouse } from "../../support/programs/start-gatehouse";

test.use({ scene: "overview" });

test("the overview shows the balance, the base address, and the steps that are left", async ({
  page,
  context,
  gatehouse,
}) => {
  const api = adminApi(gatehouse);
  const { id } = await api.createProject("First");
  await selectProject(context, gatehouse, id);
  await signIn(page, gatehouse);
  await page.goto("/");

  const { available } = await api.call<Balance>("GET", "/balance");
  const balance = page.locator("dl", { hasText: "Available balance" });
  await expect(balance.locator("data")).toHaveAttribute("value", available);
  await expect(page.locator("#main").getByText(gatehouse.baseUrl, { exact: true })).toBeVisible();
  await expect(page.getByRole("row", { name: /Payment.*Opening balance/ })).toBeVisible();
  const steps = page.getByRole("region", { name: "First steps" });
  await expect(steps.getByRole("listitem")).toContainText(["Create a key: to do", "to do", "to do"]);
  await expectNoAxeViolations(page);

  const { value } = await api.createKey(id, "a");
  await page.reload();
  await expect(steps.getByRole("listitem")).toContainText(["Create a key: done", "to do", "to do"]);
  await expect(steps.getByRole("link")).toHaveAttribute("href", /^\/projects\/[^/]+\/limits$/);

  await api.saveRateLimit(id, "sandbox-echo", { max_requests_per_1_minute: 3 });
  await callModel(gatehouse, value, "sandbox-echo");
  await page.reload();
  await expect(page.getByRole("row", { name: /Charge.*sandbox-echo/ })).toBeVisible();
  await expect(steps).toBeHidden();
  await page.setViewportSize(PHONE);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width);
  await expectNoAxeViolations(page);
});

test("somebody who may only read is shown no first steps, which they couldn't take", async ({
  page,
  context,
  gatehouse,
}) => {
  const { id } = await adminApi(gatehouse).createProject("Untouched");
  await openAsMember(context, gatehouse, { email: "rea@example.com", name: "Rea", role: "reader" });
  await context.addCookies([{ name: "gatehouse_project", value: id, url: gatehouse.consoleUrl }]);
  await page.goto("/");
  await expect(page.getByRole("row", { name: /Payment.*Opening balance/ })).toBeVisible();
  await expect(page.getByRole("region", { name: "First steps" })).toHaveCount(0);
});

test("shows the alerts that fired this month with their owners", async ({ page, gatehouse }) => {
  const api = adminApi(gatehouse);
  await signIn(page, gatehouse);
  await page.goto("/");
  await expect(page.getByText("Available balance")).toBeVisible();
  await expect(firedAlerts(page)).toHaveCount(0);

  await fireSpendAlert((await api.createProject("Research")).id, gatehouse);
  await api.call("POST", "/spend_alerts", alertAt(3));
  await page.reload();
  await expect(page.locator("#main").getByText("2 spend alerts fired this month")).toBeVisible();
  await expect(firedAlerts(page)).toHaveText([
    /^The organization reached 0\.03 USD just now/,
    /^Research reached 0\.02 USD just now/,
  ]);
  await expect(page.getByRole("link", { name: "View balance" })).toHaveAttribute("href", "/balance");
  await expectAccessible(page);
});

test("a reader of one project's alerts sees that project's, and none in another", async ({
  page,
  context,
  gatehouse,
}) => {
  const api = adminApi(gatehouse);
  const [watched, other] = [await api.createProject("Watched"), await api.createProject("Other")];
  await fireSpendAlert(watched.id, gatehouse);
  const keeper = await api.call<{ id: string }>("POST", "/roles", {
    role_name: "Keeper",
    permissions: ["api.balance.read", "api.projects.read"],
  });
  const watcher = await api.createProjectRole(watched.id, "Watcher", [
    "api.projects.read",
    "api.spend_alerts.read",
  ]);
  const invite = {
    email: "ada@example.com",
    role: keeper.id,
    projects: [{ id: watched.id, role: watcher.id }],
  };
  const { token } = await api.call<{ token: string }>("POST", "/invites", invite);
  const accepted = { token, name: "Ada", password: "a horse of wood" };
  const session = await api.call<{ token: string }>("POST", "/invites/accept", accepted);
  const url = gatehouse.consoleUrl;
  await context.addCookies([
    { name: "gatehouse_session", value: sealedSession(session.token, gatehouse), url },
  ]);
  for (const [project, shown] of [
    [watched, [/^Watched reached 0\.02 USD just now/]],
    [other, []],
  ] as const) {
    await selectProject(context, { consoleUrl: url }, project.id);
    await page.goto("/");
    await expect(page.getByText("Available balance")).toBeVisible();
    await expect(firedAlerts(page)).toHaveText([...shown]);
  }
});

test("with a specification-only gateway it leads to the working screens, and the others say so", async ({
  browser,
  elsewhere,
}) => {
  const { page, gateway, stop } = await openSpecificationConsole(browser, elsewhere);
  await page.goto("/");
  for (const [name, href] of [
    ["Set rate limits", "/rate-limits"],
    ["Create a role", "/roles"],
    ["Try a prompt", "/playground"],
  ] as const) {
    await expect(page.getByRole("link", { name })).toHaveAttribute("href", href);
  }
  await expect(page.locator("#main").getByText(`${gateway.url}/v1`, { exact: true })).toBeVisible();
  await expectNoAxeViolations(page);
  await page.goto("/keys");
  await expect(page.getByRole("heading", { name: "This gateway doesn’t list or create keys" })).toBeVisible();
  await page.goto("/projects");
  await expect(page.getByRole("heading", { name: "This gateway doesn’t list projects" })).toBeVisible();
  await expectNoAxeViolations(page);
  await stop();
});

const firedAlerts = (page: Page) => page.getByRole("listitem").filter({ hasText: "reached" });

/** The console's cookie for a member's session. */
function sealedSession(token: string, { dataFolder }: Gatehouse): string {
  const expiresAt = Math.floor(Date.now() / 1000) + 3_600;
  return sealSession({ kind: "session", token, expiresAt }, loadSecret({ dataFolder }));
}
