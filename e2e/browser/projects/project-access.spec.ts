import { adminApi } from "../../support/clients/admin-api";
import { joinMember } from "../../support/clients/join-member";
import { fetchWithKey } from "../../support/clients/send";
import { expect, test } from "../../support/fixtures/test";
import { expectAccessibleOnPhone } from "../../support/pages/expect-accessible";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { signIn } from "../../support/pages/sign-in";

test.use({ scene: "project-access" });

test("a project’s role is created, and a change shows before saving what each holder gains and loses", async ({
  page,
  gatehouse,
}) => {
  const { call, createProject, createProjectRole } = adminApi(gatehouse);
  const { id } = await createProject("Checkout");
  const role = await createProjectRole(id, "Tester", ["api.playground.write"]);
  await joinMember(gatehouse, "ada@example.com", { name: "Ada", role: "prompt_tester" });
  await call("POST", `/projects/${id}/users`, { email: "ada@example.com", role: role.id });
  await signIn(page, gatehouse);
  await page.goto(`/projects/${id}/roles`);
  await expectNoAxeViolations(page);

  await page.getByRole("button", { name: "Create role" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Key keeper");
  await page.getByRole("dialog").getByRole("button", { name: "Create role" }).click();
  await expect(page.getByText("Select at least one permission.").first()).toBeVisible();
  await page.getByRole("checkbox", { name: /api\.project_api_keys\.write/ }).check();
  await expectNoAxeViolations(page);
  await page.getByRole("dialog").getByRole("button", { name: "Create role" }).click();
  await expect(page.getByRole("row", { name: /Key keeper/ })).toBeVisible();

  await page.getByRole("button", { name: "Change the role “Tester”" }).click();
  await page.getByRole("checkbox", { name: /api\.project_api_keys\.read/ }).check();
  const preview = page.getByRole("region", { name: "What saving changes" });
  await expect(preview.getByRole("region", { name: "Gained" })).toContainText("See a project's keys");
  await expect(preview.getByRole("region", { name: "Affected" })).toContainText(/@example\.com\s*gains 1/);
  await expectNoAxeViolations(page);
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByRole("row", { name: /Tester/ })).toContainText("2");

  await page.getByRole("button", { name: "Delete the role “Key keeper”" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete role" }).click();
  await expect(page.getByRole("row", { name: /Key keeper/ })).toHaveCount(0);
});

test("a role that can’t be changed shows what it allows until it is closed, in each way", async ({
  page,
  gatehouse,
}) => {
  const { id } = await adminApi(gatehouse).createProject("Reads roles");
  await signIn(page, gatehouse);
  await page.goto(`/projects/${id}/roles`);
  const see = page.getByRole("button", { name: "See what “Project viewer” allows" });
  const dialog = page.getByRole("dialog", { name: "Project viewer" });
  for (const close of [
    () => page.keyboard.press("Escape"),
    () => dialog.getByRole("button", { name: "Close" }).click(),
    () => page.mouse.click(5, 5),
  ]) {
    await see.click();
    await expect(dialog).toContainText("api.projects.read");
    await close();
    await expect(dialog).toBeHidden();
    await expect(see).toBeFocused();
  }
});

test("a service account has keys of its own, each shown once, and is deleted with them", async ({
  page,
  gatehouse,
}) => {
  const { id } = await adminApi(gatehouse).createProject("Pipeline");
  await signIn(page, gatehouse);
  await page.goto(`/projects/${id}/keys`);
  await expectNoAxeViolations(page);
  await page.getByRole("button", { name: "Create service account" }).click();
  await page.getByLabel("Name", { exact: true }).fill("deploy");
  await page.getByLabel("Its key expires").selectOption("After 30 days");
  await expectNoAxeViolations(page);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog")).toContainText(/gk_live_\w+/);
  await expectNoAxeViolations(page);
  await page
    .getByRole("button", { name: /^Copy key/ })
    .first()
    .click();
  await page.getByRole("button", { name: "I have copied it" }).click();
  const accounts = page.getByRole("table", { name: "Service accounts of the project" });
  await expect(accounts.getByRole("row", { name: /deploy/ })).toContainText("Project member");

  await page.getByRole("button", { name: "Create a key for “deploy”" }).click();
  await page.getByLabel("Name", { exact: true }).fill("blue");
  await page.getByText("Limit it to models and endpoints").click();
  await page.getByLabel("Allowed endpoints").selectOption("POST /v1/messages only");
  await expectNoAxeViolations(page);
  await page.getByRole("button", { name: "Create key", exact: true }).last().click();
  await expect(page.getByRole("dialog")).toContainText(/gk_live_\w+/);
  await page.getByRole("button", { name: "I have copied it" }).click();
  const keys = page.getByRole("table", { name: "Keys of the project" });
  await expect(keys.getByRole("row", { name: /blue/ })).toContainText("messages");

  await page.getByRole("button", { name: "Change the service account “deploy”" }).click();
  await page.getByLabel("Role", { exact: true }).selectOption("Project owner");
  await expectNoAxeViolations(page);
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(accounts.getByRole("row", { name: /deploy/ })).toContainText("Project owner");

  await page.getByRole("button", { name: "Delete the service account “deploy”" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete service account" }).click();
  await expect(page.getByText("No service accounts yet")).toBeVisible();
  await expect(page.getByText("No keys yet")).toBeVisible();
});

test("the models of a project are chosen, enforced on its calls, reset, and protected against stale saves", async ({
  page,
  gatehouse,
}) => {
  const { call, createProject, createKey } = adminApi(gatehouse);
  const { id } = await createProject("Search");
  const { value } = await createKey(id, "a");
  const ask = async () => {
    const reply = await fetchWithKey(`${gatehouse.baseUrl}/chat/completions`, {
      key: value,
      body: { model: "sandbox-echo", messages: [{ role: "user", content: "hi" }] },
    });
    return reply.status;
  };
  await signIn(page, gatehouse);
  await page.goto(`/projects/${id}?tab=models`);
  const save = page.getByRole("button", { name: /^Save/ }).first();
  // A choice made before hydration would be reset.
  const choose = (mode: string) =>
    expect(async () => {
      await page.getByLabel("This project can call", { exact: true }).selectOption(mode);
      await expect(save).toBeEnabled({ timeout: 500 });
    }).toPass();
  await choose("Every model but those ticked");
  await page.getByRole("checkbox", { name: /^(?!All of).*sandbox-echo/ }).check();
  await expectNoAxeViolations(page);
  await page.getByRole("button", { name: /^Save 2 changes/ }).click();
  await expect(page.getByText("Saved 2 changes")).toBeVisible();
  expect(await ask()).toBe(403);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("Undone")).toBeVisible();
  expect(await ask()).not.toBe(403);

  await call("POST", `/projects/${id}/model_permissions`, { mode: "allow_list", model_ids: [] });
  await page.reload();
  const saveRule = page.getByRole("button", { name: "Save 1 change" });
  await expect(async () => {
    await page.getByLabel("Tools without a price").selectOption("Refuse the call");
    await expect(saveRule).toBeEnabled({ timeout: 500 });
  }).toPass();
  await saveRule.click();
  await expect.poll(() => call("GET", `/projects/${id}`)).toMatchObject({ hosted_tools: "refuse" });
  await choose("Every model");
  await call("POST", `/projects/${id}/model_permissions`, { mode: "deny_list", model_ids: [] });
  await save.click();
  await expect(page.getByRole("dialog")).toContainText("Every model but those ticked");
  await page.keyboard.press("Escape");

  await expectAccessibleOnPhone(page);
});
