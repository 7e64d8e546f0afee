import { adminApi } from "../../support/clients/admin-api";
import { expect, test } from "../../support/fixtures/test";
import { openAsMember } from "../../support/pages/open-as-member";
import { signIn } from "../../support/pages/sign-in";

test.use({ scene: "every-project-rights" });

test("all projects are those that a person may see, and a screen offers those that they may open it for", async ({
  page,
  context,
  gatehouse,
}) => {
  const api = adminApi(gatehouse);
  const projects = await Promise.all(["Owned", "Watched", "Hidden"].map((name) => api.createProject(name)));
  const [owned, watched] = projects;
  for (const { id } of projects) {
    const { value } = await api.createKey(id, "a");
    await fetch(`${gatehouse.baseUrl}/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${value}`, "content-type": "application/json" },
      body: JSON.stringify({ model: "sandbox-image", prompt: "a boat", sandbox: { takes_ms: 0 } }),
    });
  }
  const watcher = await api.createProjectRole(watched?.id ?? "", "Watches tasks", [
    "api.projects.read",
    "api.tasks.read",
  ]);
  const little = { role_name: "Sees groups", permissions: ["api.groups.read"] };
  const { id: role } = await api.call<{ id: string }>("POST", "/roles", little);
  await openAsMember(context, gatehouse, {
    email: "some@example.com",
    name: "Some",
    role,
    projects: [
      { id: owned?.id ?? "", role: "role_project_owner" },
      { id: watched?.id ?? "", role: watcher.id },
    ],
  });
  await context.addCookies([{ name: "gatehouse_project", value: "all", url: gatehouse.consoleUrl }]);
  await page.goto("/tasks");
  const rows = page.getByRole("table", { name: "Tasks, newest first" }).getByRole("row");
  await expect(rows).toHaveCount(3);
  await expect(rows.filter({ hasText: "Owned" })).toHaveCount(1);
  await expect(rows.filter({ hasText: "Watched" })).toHaveCount(1);
  await page.getByRole("button", { name: /^Project: All projects/ }).click();
  await expect(page.getByRole("menuitemradio", { name: /^Watched/ })).toBeVisible();
  await expect(page.getByRole("menuitemradio", { name: /^Hidden/ })).toHaveCount(0);
  await page.keyboard.press("Escape");
  const links = page.getByRole("navigation", { name: "Screens" });
  await expect(links.getByRole("link", { name: "Members" })).toHaveCount(0);
  await expect(links.getByRole("link", { name: "Project keys", exact: true })).toBeVisible();
  await page.goto("/projects/all/keys");
  await page.locator("#main").getByRole("button", { name: "Choose a project" }).click();
  await expect(page.getByRole("menuitem", { name: /^Owned/ })).toBeVisible();
  await expect(page.getByRole("menuitem", { name: /^Watched/ })).toHaveCount(0);
  await page.getByRole("menuitem", { name: /^Owned/ }).click();
  await expect(page.getByText("Programs call models with a key of Owned")).toBeVisible();
});

test("a person with one project has that one, and one whose project is archived the first that is left", async ({
  page,
  context,
  gatehouse,
}) => {
  const api = adminApi(gatehouse);
  const [mine, gone] = [await api.createProject("Mine"), await api.createProject("Gone")];
  const little = { role_name: "Sees roles", permissions: ["api.roles.read"] };
  const { id: role } = await api.call<{ id: string }>("POST", "/roles", little);
  await openAsMember(context, gatehouse, {
    email: "one@example.com",
    name: "One",
    role,
    projects: [{ id: mine.id, role: "role_project_owner" }],
  });
  await context.addCookies([{ name: "gatehouse_project", value: "all", url: gatehouse.consoleUrl }]);
  await page.goto("/keys");
  const projectSwitch = page.getByRole("button", { name: /^Project: / });
  await expect(projectSwitch).toHaveAccessibleName("Project: Mine. Switch project");
  await projectSwitch.click();
  await expect(page.getByRole("menuitem", { name: "Manage projects" })).toBeVisible();
  await expect(page.getByRole("menuitemradio", { name: "All projects" })).toHaveCount(0);

  await signIn(page, gatehouse);
  await context.addCookies([{ name: "gatehouse_project", value: gone.id, url: gatehouse.consoleUrl }]);
  await page.goto("/keys");
  await expect(projectSwitch).toHaveAccessibleName(/Gone/);
  await api.call("POST", `/projects/${gone.id}/archive`);
  await page.reload();
  await expect(page.getByRole("heading", { name: "There is no such project" })).toBeVisible();
  await page.goto("/keys");
  await expect(projectSwitch).not.toHaveAccessibleName(/Gone|All projects|none/);
  await expect(page.getByText("Programs call models with a key of")).toBeVisible();
});
