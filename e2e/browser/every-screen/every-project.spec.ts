import type { Page } from "@playwright/test";
import { adminApi } from "../../support/clients/admin-api";
import { expect, test } from "../../support/fixtures/test";
import { expectAccessible } from "../../support/pages/expect-accessible";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { signIn } from "../../support/pages/sign-in";
import type { Gatehouse } from "../../support/programs/start-gatehouse";

test.use({ scene: "every-project" });

const EVERY = { name: "gatehouse_project", value: "all" };

const projectSwitch = (page: Page) => page.getByRole("button", { name: /^Project: / });
const question = (page: Page) => page.getByRole("heading", { name: "Which project?" });
const taskRows = (page: Page) => page.getByRole("table", { name: "Tasks, newest first" }).getByRole("row");

/** Makes a project with a key and a task. */
async function makeProject(gatehouse: Gatehouse, name: string): Promise<string> {
  const { createProject, createKey } = adminApi(gatehouse);
  const { id } = await createProject(name);
  const { value } = await createKey(id, `key of ${name}`);
  const reply = await fetch(`${gatehouse.baseUrl}/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${value}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "sandbox-image", prompt: "a lighthouse", sandbox: { takes_ms: 0 } }),
  });
  expect(reply.status).toBe(200);
  return id;
}

async function chooseIn(page: Page, project: RegExp): Promise<void> {
  await page.locator("#main").getByRole("button", { name: "Choose a project" }).click();
  await page.getByRole("menuitem", { name: project }).click();
}

test("for all projects, lists show those of every project, and a screen of one project asks which", async ({
  page,
  gatehouse,
}) => {
  for (const name of ["Web shop", "Laboratory"]) await makeProject(gatehouse, name);
  await signIn(page, gatehouse);
  await page.goto("/tasks");
  await projectSwitch(page).click();
  await page.getByRole("menuitemradio", { name: "All projects" }).click();
  await expect(page).toHaveURL("/projects/all/tasks");
  await expect(projectSwitch(page)).toHaveAccessibleName("Project: All projects. Switch project");
  await expect(taskRows(page).nth(1)).toContainText("Laboratory");
  await expect(taskRows(page).nth(2)).toContainText("Web shop");
  await expect(page.getByText("Images, videos and music created for all projects.")).toBeVisible();
  await expectAccessible(page);
  await page.reload();
  await expect(taskRows(page)).toHaveCount(3);
  for (const path of ["/batches", "/files", "/", "/requests", "/usage"]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(question(page)).toHaveCount(0);
  }
  for (const noun of ["prompts", "playground", "keys"]) {
    await page.goto(`/projects/all/${noun}`);
    await expect(question(page)).toBeVisible();
  }
  await page.goto("/projects/all/limits/sandbox-echo");
  await expect(page).toHaveURL("/projects/all/limits?group=model&q=sandbox-echo");
  await expect(page.getByRole("grid", { name: "Rate limits of every project" })).toBeVisible();
  await page.goto("/projects/all/keys");
  await expectNoAxeViolations(page);
  await chooseIn(page, /^Laboratory/);
  await expect(page.getByRole("row", { name: /key of Laboratory/ })).toBeVisible();
  await expect(projectSwitch(page)).toHaveAccessibleName(/Laboratory/);
});

test("a new batch asks for its project, and the name of an archived one stands beside its tasks", async ({
  page,
  context,
  gatehouse,
}) => {
  await makeProject(gatehouse, "Kept");
  const old = await makeProject(gatehouse, "Wound up");
  await adminApi(gatehouse).call("POST", `/projects/${old}/archive`);
  await signIn(page, gatehouse);
  await context.addCookies([{ ...EVERY, url: gatehouse.consoleUrl }]);
  await page.goto("/tasks");
  await expect(taskRows(page).filter({ hasText: "Wound up" })).toHaveCount(1);
  await page.goto("/batches");
  await page.getByRole("button", { name: "Create batch" }).first().click();
  await expect(page.getByRole("menuitem", { name: /^Wound up/ })).toHaveCount(0);
  await page.getByRole("menuitem", { name: /^Kept/ }).click();
  await expect(page.getByRole("dialog", { name: "Create batch" })).toBeVisible();
  await expect(projectSwitch(page)).toHaveAccessibleName(/Kept/);
});

test("a link names its project, for everybody and beside another tab, and old links lead on", async ({
  page,
  context,
  gatehouse,
}) => {
  const { call, createProject } = adminApi(gatehouse);
  const [first, second] = [await createProject("Harbour"), await createProject("Lighthouse")];
  const prompt = await call<{ id: string }>("POST", `/projects/${second.id}/prompts`, {
    name: "Greets ships",
    content: { endpoint: "chat_completions", body: { messages: [{ role: "user", content: "Ahoy" }] } },
  });
  await signIn(page, gatehouse);
  await page.goto(`/projects/${first.id}/limits/sandbox-echo`);
  await expect(projectSwitch(page)).toHaveAccessibleName(/Harbour/);
  const other = await context.newPage();
  await other.goto(`/projects/${second.id}/keys`);
  await expect(projectSwitch(other)).toHaveAccessibleName(/Lighthouse/);
  await page.reload();
  await expect(projectSwitch(page)).toHaveAccessibleName(/Harbour/);
  await expect(page.getByText("Rate limits in project Harbour")).toBeVisible();

  // The switch keeps the model.
  await projectSwitch(page).click();
  await page.getByRole("menuitemradio", { name: /^Lighthouse/ }).click();
  await expect(page).toHaveURL(`/projects/${second.id}/limits/sandbox-echo`);
  await expect(page.getByText("Rate limits in project Lighthouse")).toBeVisible();

  await page.goto(`/prompts/${prompt.id}`);
  await expect(page).toHaveURL(`/projects/${second.id}/prompts/${prompt.id}`);
  await expect(page.getByRole("heading", { name: "Greets ships" })).toBeVisible();
  await page.goto("/prompts/prompt_none");
  await expect(page.getByRole("heading", { name: "There is no such prompt" })).toBeVisible();
  await page.goto(`/rate-limits/rl_sandbox-echo?project=${first.id}`);
  await expect(page).toHaveURL(`/projects/${first.id}/limits/sandbox-echo`);
  await page.goto(`/playground?model=sandbox-echo&project=${second.id}`);
  await expect(page.getByRole("textbox", { name: "Message" })).toBeVisible();
  await expect(projectSwitch(page)).toHaveAccessibleName(/Lighthouse/);
  await page.goto("/keys");
  await expect(page).toHaveURL(`/projects/${second.id}/keys`);
  await page.goto("/projects/proj_none/tasks");
  await expect(page.getByRole("heading", { name: "There is no such project" })).toBeVisible();
});

test("the palette creates a key in the project used last, and shows a list for another", async ({
  page,
  gatehouse,
}) => {
  const brewery = await makeProject(gatehouse, "Brewery");
  await makeProject(gatehouse, "Bakery");
  await signIn(page, gatehouse);
  await page.goto(`/projects/${brewery}/tasks`);
  await page.goto("/usage");
  const run = async (command: string) => {
    await page.keyboard.press("ControlOrMeta+K");
    await page.getByRole("combobox", { name: "Screen, project or command" }).fill(command);
    await page.getByRole("option", { name: command }).first().click();
  };
  await run("Create key");
  await expect(page.getByRole("dialog", { name: "Create key" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("row", { name: /key of Brewery/ })).toBeVisible();
  await run("Switch to Bakery");
  await expect(page.getByRole("row", { name: /key of Bakery/ })).toBeVisible();
});

test("a page creates its key in its project, after another tab showed another", async ({
  page,
  context,
  gatehouse,
}) => {
  const { call } = adminApi(gatehouse);
  const id = await makeProject(gatehouse, "Open tab");
  const another = await makeProject(gatehouse, "Another");
  await signIn(page, gatehouse);
  await page.goto(`/projects/${id}/keys?open=new-key`);
  const dialog = page.getByRole("dialog", { name: "Create key" });
  await dialog.getByRole("textbox", { name: "Name" }).fill("from the old tab");
  const other = await context.newPage();
  await other.goto(`/projects/${another}/keys`);
  await expect(projectSwitch(other)).toHaveAccessibleName(/Another/);
  await dialog.getByRole("button", { name: "Create key" }).click();
  await expect
    .poll(async () => {
      const { data } = await call<{ data: { name: string }[] }>("GET", `/projects/${id}/api_keys`);
      return data.map(({ name }) => name);
    })
    .toContain("from the old tab");
});
