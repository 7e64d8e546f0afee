import type { Page } from "@playwright/test";
import type { Task } from "@/lib/contract/operations/tasks/task";
import { adminApi } from "../../support/clients/admin-api";
import { fetchWithKey } from "../../support/clients/send";
import { expect, test } from "../../support/fixtures/test";
import { expectAccessibleOnPhone } from "../../support/pages/expect-accessible";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { expectNoSidewaysScroll } from "../../support/pages/expect-no-sideways-scroll";
import { openAsMember } from "../../support/pages/open-as-member";
import { selectProject } from "../../support/pages/select-project";
import { signIn } from "../../support/pages/sign-in";
import { PHONE } from "../../support/pages/viewports";
import { type CallbackReceiver, startCallbackReceiver } from "../../support/servers/callback-receiver";

test.use({ scene: "tasks", environment: { GATEHOUSE_CALLBACK_HOSTS: "127.0.0.1" } });

const endless = { model: "sandbox-video", prompt: "waves", sandbox: { outcome: "never ends" } };
const picture = { model: "sandbox-image", prompt: "a lighthouse", size: "320x200", sandbox: { takes_ms: 0 } };

let ask: (path: string, body?: object) => Promise<Task>;
let create: (fields: object) => Promise<Task>;
/** Resolves with the task once it has ended. */
let follow: (task: Task) => Promise<Task>;
let projectId: string;

test.beforeEach(async ({ page, context, gatehouse }, { title }) => {
  const api = adminApi(gatehouse);
  ({ id: projectId } = await api.createProject(title.slice(0, 100)));
  const { value } = await api.createKey(projectId, "studio");
  ask = async (path, body) => {
    const reply = await fetchWithKey(`${gatehouse.baseUrl}${path}`, { key: value, body });
    expect(reply.status).toBe(200);
    return (await reply.json()) as Task;
  };
  create = (fields) => ask("/chat/completions", fields);
  follow = async ({ id }) => {
    await expect.poll(async () => (await ask(`/tasks/${id}`)).ended_at).not.toBeNull();
    return ask(`/tasks/${id}`);
  };
  await selectProject(context, gatehouse, projectId);
  await signIn(page, gatehouse);
});

const rows = (page: Page) =>
  page
    .getByRole("table", { name: "Tasks, newest first" })
    .getByRole("row")
    .filter({ hasNot: page.locator("th") });
const drawer = (page: Page) => page.getByRole("dialog").first();
const readPictureWidth = (page: Page) =>
  page.getByRole("img", { name: "Result" }).evaluate((image: HTMLImageElement) => image.naturalWidth);

test("a project’s tasks are listed while they run, and shown with their output and cost", async ({
  page,
}) => {
  await page.goto("/tasks");
  await expect(page.getByText("No tasks yet")).toBeVisible();
  await expectNoAxeViolations(page);

  const made = await follow(await create(picture));
  await create({ ...picture, sandbox: { takes_ms: 6_000 } });
  await page.reload();
  await expect(rows(page)).toHaveCount(2);
  await expect(rows(page).nth(1)).toContainText("sandbox-imageimageSucceeded");
  await expect(rows(page).nth(1)).toContainText(made.usage?.amount ?? "charged");
  await expect(rows(page).nth(0)).toContainText("Running");
  await expect(rows(page).nth(0)).toContainText("Succeeded", { timeout: 15_000 });
  await expectNoAxeViolations(page);

  await rows(page).nth(1).getByRole("link").click();
  await expect(page).toHaveURL(new RegExp(`open=${made.id}`));
  await expect.poll(() => readPictureWidth(page)).toBe(320);
  await expect(drawer(page)).toContainText(`${made.usage?.amount} USD for 0.064 megapixels`);
  await expect(drawer(page)).toContainText("The call had no callback_url.");
  await expectNoAxeViolations(page);
  await page.getByRole("link", { name: "Open page" }).click();
  await expect(page.getByRole("heading", { name: "Image task" })).toBeVisible();
  await expect(page.getByRole("navigation", { name: "Breadcrumb" })).toContainText("Tasks");
  await page.setViewportSize(PHONE);
  await expectNoSidewaysScroll(page);
  await expectNoAxeViolations(page);
  await page.getByRole("link", { name: "View receipt" }).click();
  await expect(page).toHaveURL(new RegExp(`/requests/${made.request_id}`));
  await page.getByRole("link", { name: "View result" }).click();
  await expect(page).toHaveURL(new RegExp(`/tasks/${made.id}`));
});

test("tasks are filtered by status and model in the address", async ({ page }) => {
  await follow(await create(picture));
  await follow(await create({ ...picture, sandbox: { takes_ms: 0, outcome: "failed" } }));
  await follow(await create({ ...picture, model: "sandbox-music", seconds: 1 }));
  await page.goto("/tasks?status=failed");
  await expect(rows(page)).toHaveCount(1);
  await expect(page.getByLabel("Status", { exact: true })).toHaveValue("failed");
  await rows(page).getByRole("link").click();
  await expect(drawer(page)).toContainText("Nothing was charged.");
  await expect(drawer(page)).toContainText("sandbox_failure");
  await page.keyboard.press("Escape");
  await page.getByLabel("Model", { exact: true }).selectOption("sandbox-music");
  await expect(page.getByText("No task fits these filters")).toBeVisible();
  await page.getByLabel("Status", { exact: true }).selectOption("Any status");
  await expect(rows(page)).toHaveCount(1);
  await expect(page).toHaveURL(/\/tasks\?model=sandbox-music$/);
  await page.getByRole("button", { name: "Clear" }).click();
  await expect(rows(page)).toHaveCount(3);
  await expectAccessibleOnPhone(page);
});

test("a running task is canceled after a question, and costs nothing", async ({ page }) => {
  const task = await create(endless);
  await page.goto("/tasks");
  await expect(rows(page)).toContainText("Running 50 %", { timeout: 15_000 });
  await rows(page).getByRole("link").click();
  await expect(page.getByRole("progressbar", { name: "Made" })).toBeVisible();
  await drawer(page).getByRole("button", { name: "Cancel task" }).click();
  const question = page.getByRole("dialog", { name: "Cancel this task?" });
  await expectNoAxeViolations(page);
  await question.getByRole("button", { name: "Keep task" }).click();
  expect((await ask(`/tasks/${task.id}`)).cancel_requested).toBe(false);
  await drawer(page).getByRole("button", { name: "Cancel task" }).click();
  await question.getByRole("button", { name: "Cancel task" }).click();
  await expect(drawer(page)).toContainText("It was canceled before it was finished", { timeout: 15_000 });
  await expect(drawer(page).getByRole("button", { name: "Cancel task" })).toHaveCount(0);
  await page.keyboard.press("Escape");
  await expect(rows(page)).toContainText("Canceled");
  expect((await ask(`/tasks/${task.id}`)).usage).toBeNull();
});

test("videos and music play from the console’s own address, in ranges, and only for their readers", async ({
  page,
  browser,
  gatehouse,
}) => {
  const film = await follow(await create({ ...picture, model: "sandbox-video", seconds: "4" }));
  const tune = await follow(await create({ ...picture, model: "sandbox-music", seconds: 3 }));
  for (const [{ id }, tag, seconds] of [
    [film, "video", 4],
    [tune, "audio", 3],
  ] as const) {
    await page.goto(`/tasks/${id}`);
    const length = () => page.locator(tag).evaluate((player: HTMLMediaElement) => player.duration);
    await expect.poll(length).toBeCloseTo(seconds, 0);
    await expectNoAxeViolations(page);
  }
  const source = (await page.locator("audio").getAttribute("src")) ?? "";
  const get = (headers: Record<string, string>, path = source) => page.request.get(path, { headers });
  const own = { "sec-fetch-site": "same-origin" };
  const whole = await get(own);
  expect(whole.headers()).toMatchObject({ "content-type": "audio/wav", "cache-control": "no-store" });
  expect(whole.headers()["content-disposition"]).toBe(`attachment; filename="${tune.id}-0.wav"`);
  const part = await get({ ...own, range: "bytes=0-3" });
  expect([part.status(), await part.text()]).toEqual([206, "RIFF"]);
  expect(part.headers()["content-range"]).toBe(`bytes 0-3/${(await whole.body()).length}`);
  expect((await get({ ...own, range: "bytes=999999999-" })).status()).toBe(416);
  expect((await get({ "sec-fetch-site": "cross-site" })).status()).toBe(403);
  for (const query of [`task_id=${tune.id}&position=1`, "task_id=..&position=0", ""]) {
    expect((await get(own, `/api/task-outputs?${query}`)).status(), query).toBe(404);
  }
  const signedOut = await browser.newContext({ baseURL: gatehouse.consoleUrl });
  expect((await signedOut.request.get(source, { headers: own })).status()).toBe(401);
  await openAsMember(signedOut, gatehouse, {
    email: "outsider@example.com",
    name: "Outsider",
    role: "prompt_tester",
  });
  expect((await signedOut.request.get(source, { headers: own })).status()).toBe(403);
  await signedOut.close();
});

test.describe("callbacks", () => {
  let receiver: CallbackReceiver;
  test.beforeEach(async () => {
    receiver = await startCallbackReceiver();
  });
  test.afterEach(() => receiver.close());

  test("each try is shown, and a callback that was given up is sent again", async ({ page }) => {
    receiver.answerWith(410);
    const { id } = await follow(await create({ ...picture, callback_url: receiver.url }));
    await page.goto(`/tasks/${id}`);
    const part = page.getByRole("region", { name: "Callback" });
    await expect(part).toContainText("Given up");
    await expect(part).toContainText(receiver.url);
    await expect(part.getByRole("row")).toHaveCount(2);
    await expect(part).toContainText("The receiver answered 410");
    await expectNoAxeViolations(page);
    await part.getByRole("button", { name: "Send again" }).click();
    await expect(part).toContainText("Delivered");
    await expect(part.getByRole("row")).toHaveCount(3);
    await part.getByText("Check its signature").click();
    await expect(part.getByText("export function isGenuine")).toBeVisible();
    await page.setViewportSize(PHONE);
    await expectNoSidewaysScroll(page);
    await expectNoAxeViolations(page);
  });
});

test("a reader of tasks can’t cancel them, and a member without the permission sees only their own", async ({
  browser,
  gatehouse,
}) => {
  const { id } = await create(endless);
  const { createProjectRole } = adminApi(gatehouse);
  const reads = await createProjectRole(projectId, "Watcher", ["api.projects.read", "api.tasks.read"]);
  const none = await createProjectRole(projectId, "Visitor", ["api.projects.read"]);
  const context = await browser.newContext({ baseURL: gatehouse.consoleUrl });
  const open = (email: string, role: string) =>
    openAsMember(context, gatehouse, {
      email,
      name: email,
      role: "prompt_tester",
      projects: [{ id: projectId, role }],
    });
  await selectProject(context, gatehouse, projectId);
  const page = await context.newPage();
  await open("watcher@example.com", reads.id);
  await page.goto(`/tasks/${id}`);
  await expect(page.getByText("The provider is working on it")).toBeVisible({ timeout: 15_000 });
  await expect(page.getByRole("button", { name: "Cancel task" })).toHaveCount(0);
  await page.goto("/tasks");
  await expect(rows(page)).toHaveCount(1);
  await page.goto("/tasks/task_unknown");
  await expect(page.getByText("There is no such task")).toBeVisible();
  await expectNoAxeViolations(page);
  await open("visitor@example.com", none.id);
  await page.goto("/tasks");
  await expect(page.getByText("No tasks yet")).toBeVisible();
  await page.goto(`/tasks/${id}`);
  await expect(page.getByText("There is no such task")).toBeVisible();
  await expectNoAxeViolations(page);
  await context.close();
});
