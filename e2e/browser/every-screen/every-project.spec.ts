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

test("with all projects selected, lists show those of every project, and a screen of one project asks which", async ({
  page,
  gatehouse,
}) => {
  for (const name of ["Web shop", "Laboratory"]) await makeProject(gatehouse, name);
  await signIn(page, gatehouse);
  await page.goto("/tasks");
  await projectSwitch(page).click();
  await page.getByRole("menuitemradio", { name: "All projects" }).click();
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
  for (const path of ["/prompts", "/rate-limits", "/playground", "/keys"]) {
    await page.goto(path);
    await expect(question(page)).toBeVisible();
  }
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

test("a link to an object of a project opens it while all projects are selected", async ({
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
  await context.addCookies([{ ...EVERY, url: gatehouse.consoleUrl }]);
  await page.goto(`/prompts/${prompt.id}`);
  await expect(page.getByRole("heading", { name: "Greets ships" })).toBeVisible();
  await expect(projectSwitch(page)).toHaveAccessibleName(/Lighthouse/);

  await context.addCookies([{ ...EVERY, url: gatehouse.consoleUrl }]);
  await page.goto("/prompts/prompt_none");
  await expect(page.getByRole("heading", { name: "There is no such prompt" })).toBeVisible();
  await page.goto(`/rate-limits/rl_sandbox-echo?project=${first.id}`);
  await expect(page.getByRole("heading", { name: "sandbox-echo" })).toBeVisible();
  await expect(projectSwitch(page)).toHaveAccessibleName(/Harbour/);

  await context.addCookies([{ ...EVERY, url: gatehouse.consoleUrl }]);
  await page.goto(`/playground?model=sandbox-echo&project=${second.id}`);
  await expect(page.getByRole("textbox", { name: "Message" })).toBeVisible();
  await expect(projectSwitch(page)).toHaveAccessibleName(/Lighthouse/);
});

test("the palette creates a key in a project that it asks for, and returns to all projects", async ({
  page,
  context,
  gatehouse,
}) => {
  await makeProject(gatehouse, "Bakery");
  await makeProject(gatehouse, "Brewery");
  await signIn(page, gatehouse);
  await context.addCookies([{ ...EVERY, url: gatehouse.consoleUrl }]);
  await page.goto("/usage");
  const run = async (command: string) => {
    await page.keyboard.press("ControlOrMeta+K");
    await page.getByRole("combobox", { name: "Screen, project or command" }).fill(command);
    await page.getByRole("option", { name: command }).first().click();
  };
  await run("Create key");
  await expect(question(page)).toBeVisible();
  await chooseIn(page, /^Brewery/);
  const dialog = page.getByRole("dialog", { name: "Create key" });
  await expect(dialog).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("row", { name: /key of Brewery/ })).toBeVisible();
  await run("Switch to all projects");
  await expect(question(page)).toBeVisible();
  await expect(projectSwitch(page)).toHaveAccessibleName(/All projects/);
});

test("a tab that still shows a project creates its key there, after another tab selected all projects", async ({
  page,
  context,
  gatehouse,
}) => {
  const { call } = adminApi(gatehouse);
  const id = await makeProject(gatehouse, "Open tab");
  await makeProject(gatehouse, "Another");
  await signIn(page, gatehouse);
  await context.addCookies([{ ...EVERY, value: id, url: gatehouse.consoleUrl }]);
  await page.goto("/keys?open=new-key");
  const dialog = page.getByRole("dialog", { name: "Create key" });
  await dialog.getByRole("textbox", { name: "Name" }).fill("from the old tab");
  const other = await context.newPage();
  await other.goto("/");
  await projectSwitch(other).click();
  await other.getByRole("menuitemradio", { name: "All projects" }).click();
  await expect(projectSwitch(other)).toHaveAccessibleName(/All projects/);
  await dialog.getByRole("button", { name: "Create key" }).click();
  await expect
    .poll(async () => {
      const { data } = await call<{ data: { name: string }[] }>("GET", `/projects/${id}/api_keys`);
      return data.map(({ name }) => name);
    })
    .toContain("from the old tab");
});
