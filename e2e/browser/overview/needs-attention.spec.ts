import { adminApi } from "../../support/clients/admin-api";
import { callModel } from "../../support/clients/send";
import { expect, test } from "../../support/fixtures/test";
import { expectAccessible } from "../../support/pages/expect-accessible";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { openAsMember } from "../../support/pages/open-as-member";
import { selectProject } from "../../support/pages/select-project";
import { signIn } from "../../support/pages/sign-in";
import type { Gatehouse } from "../../support/programs/start-gatehouse";

test.use({ scene: "needs-attention" });

/** Makes a project whose limit of one request a minute refuses the second call. Returns the ids of both. */
async function refuseInProject(gatehouse: Gatehouse, name: string) {
  const api = adminApi(gatehouse);
  const { id } = await api.createProject(name);
  const { value } = await api.createKey(id, "nightly");
  await api.saveRateLimit(id, "sandbox-echo", { max_requests_per_1_minute: 1 });
  await callModel(gatehouse, value, "sandbox-echo");
  const requestId = await callModel(gatehouse, value, "sandbox-echo", { status: 429 });
  return { projectId: id, requestId };
}

test("the overview names a limit that refused calls, and opens it in its own project", async ({
  page,
  context,
  gatehouse,
}) => {
  const api = adminApi(gatehouse);
  const selected = await api.createProject("Support bot");
  await selectProject(context, gatehouse, selected.id);
  await signIn(page, gatehouse);
  await page.goto("/");
  const attention = page.getByRole("region", { name: "Needs attention" });
  await expect(attention).toContainText("no limit was nearly used up");

  const { requestId } = await refuseInProject(gatehouse, "Search");
  await page.reload();
  await expect(attention.getByRole("listitem")).toContainText([
    /Requests per minute refused 1 call.*sandbox-echo in Search · limit 1/,
  ]);
  await expectAccessible(page);

  await attention.getByRole("link", { name: /^View calls/ }).click();
  await expect(page.getByRole("row").filter({ hasText: "Requests per minute" })).toHaveCount(1);
  await page.goto("/");
  await attention.getByRole("link", { name: /^Open limit/ }).click();
  await expect(page.getByText("Rate limits in project Search")).toBeVisible();
  await expect(page).toHaveURL(/\/limits\/sandbox-echo$/);
  await expect(page.getByRole("textbox", { name: "Requests per minute" })).toHaveValue("1");
  await page.goto(`/requests/${requestId}`);
  await expect(page.getByRole("heading", { name: "Requests per minute is used up" })).toBeVisible();
});

test("the overview shows what was changed from which value to which", async ({ page, gatehouse }) => {
  const api = adminApi(gatehouse);
  const { id } = await api.createProject("Changed");
  await api.saveRateLimit(id, "sandbox-echo", { max_requests_per_1_minute: 7 });
  await signIn(page, gatehouse);
  await page.goto("/");
  const changes = page.getByRole("region", { name: "Recent changes" });
  await expect(changes.getByRole("listitem").first()).toContainText("Requests per minute 600→7");
});

test("a refusal’s receipt shows which keys used up its limit, and changes it in its own project", async ({
  page,
  context,
  gatehouse,
}) => {
  const { requestId } = await refuseInProject(gatehouse, "Refusing");
  const selected = await adminApi(gatehouse).createProject("Selected");
  await selectProject(context, gatehouse, selected.id);
  await signIn(page, gatehouse);
  await page.goto(`/requests/${requestId}`);
  const users = page.getByRole("region", { name: "What used it" });
  await expect(users.getByRole("listitem")).toHaveText([/^nightly.*1 call.*100 %$/]);
  await expectNoAxeViolations(page);
  await page.getByRole("link", { name: "Change the limit" }).click();
  await expect(page.getByText("Rate limits in project Refusing")).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Requests per minute" })).toHaveValue("1");
});

test("a limit of a project that one has no access to is not opened in the selected one", async ({
  page,
  context,
  gatehouse,
}) => {
  const api = adminApi(gatehouse);
  const [own, other] = [await api.createProject("Own"), await api.createProject("Foreign")];
  const role = await api.createProjectRole(own.id, "Limits", [
    "api.projects.read",
    "api.rate_limits.read",
    "api.rate_limits.write",
    "api.models.read",
  ]);
  const nothing = await api.call<{ id: string }>("POST", "/roles", {
    role_name: "Nothing",
    permissions: ["api.playground.write"],
  });
  await openAsMember(context, gatehouse, {
    email: "own@example.com",
    name: "Own",
    role: nothing.id,
    projects: [{ id: own.id, role: role.id }],
  });
  for (const project of [other.id, "proj_none", "%22%3E%3Cb%3E"]) {
    await page.goto(`/rate-limits/rl_sandbox-echo?project=${project}`);
    // No word tells whether there is such a project.
    await expect(
      page.getByRole("heading", { name: "You don’t have permission to see the rate limits" }),
    ).toBeVisible();
  }
});
