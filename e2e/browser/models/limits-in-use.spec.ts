import { adminApi } from "../../support/clients/admin-api";
import { callModel } from "../../support/clients/send";
import { expect, test } from "../../support/fixtures/test";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { expectNoSidewaysScroll } from "../../support/pages/expect-no-sideways-scroll";
import { selectProject } from "../../support/pages/select-project";
import { signIn } from "../../support/pages/sign-in";
import { DESK, PHONE } from "../../support/pages/viewports";

test.use({ scene: "limits-in-use" });

let call: (model: string, status?: number) => Promise<string>;

test.beforeEach(async ({ page, gatehouse }, { title }) => {
  const api = adminApi(gatehouse);
  const project = await api.createProject(title.slice(0, 60));
  const key = await api.createKey(project.id, "nightly-eval");
  call = (model, status = 200) => callModel(gatehouse, key.value, model, { status });
  await api.saveRateLimit(project.id, "sandbox-echo", { max_requests_per_1_minute: 4 });
  await api.saveRateLimit(project.id, "sandbox-chat", { max_requests_per_1_minute: 2 });
  await signIn(page, gatehouse);
  await selectProject(page.context(), gatehouse, project.id);
});

test("a form shows usage, peaks and refusals of each limit, and leads to those calls", async ({ page }) => {
  for (const status of [200, 200, 429]) await call("sandbox-chat", status);
  await page.goto("/rate-limits/rl_sandbox-chat");
  await expect(page.getByText("2 of 2 used now")).toBeVisible();
  await expect(page.getByText("Peak in 24 hours 2 (100 %), in 7 days 2 (100 %)")).toBeVisible();
  await expect(page.getByText("Not used in the last 7 days.").first()).toBeVisible();
  await expectNoAxeViolations(page);
  await page.setViewportSize(PHONE);
  await expectNoSidewaysScroll(page);
  await page.setViewportSize(DESK);
  await page.getByRole("link", { name: "View refused calls" }).click();
  await expect(page.getByRole("table", { name: "Calls, newest first" }).getByRole("row")).toHaveCount(2);
});
