import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import type { Batch } from "@/lib/contract/operations/tasks/batches";
import { adminApi } from "../../support/clients/admin-api";
import { chatLine, uploadForm } from "../../support/clients/batch-client";
import { fetchWithKey } from "../../support/clients/send";
import { expect, test } from "../../support/fixtures/test";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { expectNoSidewaysScroll } from "../../support/pages/expect-no-sideways-scroll";
import { openAsMember } from "../../support/pages/open-as-member";
import { selectProject } from "../../support/pages/select-project";
import { signIn } from "../../support/pages/sign-in";
import { PHONE } from "../../support/pages/viewports";

test.use({ scene: "batches" });

let projectId: string;
let ask: <Reply>(path: string, body?: unknown) => Promise<Reply>;
let limit: (change: object) => Promise<unknown>;

test.beforeEach(async ({ page, context, gatehouse }, { title }) => {
  const api = adminApi(gatehouse);
  ({ id: projectId } = await api.createProject(title.slice(0, 100)));
  const { value } = await api.createKey(projectId, "nightly");
  ask = async (path, body) => {
    const reply = await fetchWithKey(`${gatehouse.baseUrl}${path}`, { key: value, body });
    expect(reply.status, path).toBe(200);
    return reply.json();
  };
  limit = (change) => api.call("POST", `/projects/${projectId}/rate_limits/rl_sandbox-echo`, change);
  await selectProject(context, gatehouse, projectId);
  await signIn(page, gatehouse);
});

const writeLines = (count: number, more: object = {}) =>
  Array.from({ length: count }, (_, index) => chatLine(`row-${index}`, `word ${index}`, more));
const upload = (lines: readonly string[]) =>
  ask<{ id: string }>("/files", uploadForm({ purpose: "batch", file: lines.join("\n") }));
const create = async (lines: readonly string[]) =>
  ask<Batch>("/batches", {
    input_file_id: (await upload(lines)).id,
    endpoint: "/v1/chat/completions",
    completion_window: "24h",
  });
const hasEnded = async (id: string) =>
  expect
    .poll(async () => (await ask<Batch>(`/batches/${id}`)).finalizing_at, { timeout: 30_000 })
    .not.toBeNull();
const rows = (page: Page, name = "Batches, newest first") =>
  page
    .getByRole("table", { name })
    .getByRole("row")
    .filter({ hasNot: page.locator("th") });
const drop = (page: Page, text: string) =>
  page
    .getByLabel(/Drop a JSONL file/)
    .setInputFiles({ name: "calls.jsonl", mimeType: "application/jsonl", buffer: Buffer.from(text) });

test("a batch is made of a file that is dropped, once its lines are checked and its cost is known", async ({
  page,
}) => {
  await limit({ batch_1_day_max_input_tokens: 500 });
  await page.goto("/batches");
  await expect(page.getByText("No batches yet")).toBeVisible();
  await expectNoAxeViolations(page);
  await page.getByRole("button", { name: "Create batch" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Create batch" });
  await expect(dialog.getByRole("button", { name: "Create batch" })).toBeDisabled();
  await drop(page, [...writeLines(2), "{"].join("\n"));
  await expect(dialog.getByRole("alert")).toContainText("Line 3 of the file is wrong");
  await expectNoAxeViolations(page);
  await drop(page, writeLines(400).join("\n"));
  await expect(dialog.getByRole("alert")).toContainText("batch input tokens");
  await expect(dialog.getByRole("button", { name: "Create batch" })).toBeDisabled();
  await drop(page, writeLines(20, { max_tokens: 5 }).join("\n"));
  const estimate = dialog.getByRole("region", { name: "Estimate" });
  await expect(estimate).toContainText("Every line of calls.jsonl can be called");
  await expect(estimate).toContainText("Lines20");
  await expect(estimate).toContainText("USD");
  await expect(estimate.getByRole("progressbar")).toHaveAttribute("max", "500");
  await expectNoAxeViolations(page);
  await page.setViewportSize(PHONE);
  await expectNoSidewaysScroll(page);
  await expectNoAxeViolations(page);
  await dialog.getByRole("button", { name: "Create batch" }).click();
  await expect(page).toHaveURL(/\/batches\/batch_/);
  await expect(page.getByText("Every line was answered.")).toBeVisible({ timeout: 30_000 });
  await page.goto("/files");
  // What was refused is deleted again.
  await expect(rows(page, "Files, newest first")).toHaveCount(2);
});

test("a running batch shows its counts, charges, pace and the limit it waits for; then its results are downloaded", async ({
  page,
}) => {
  await limit({ max_requests_per_1_minute: 10 });
  const slow = await create(writeLines(40));
  await page.goto(`/batches/${slow.id}`);
  await expect(page.getByText("Waits for the limit on requests per minute")).toBeVisible({ timeout: 15_000 });
  await expect(page.getByText("In progress")).toBeVisible();
  await expectNoAxeViolations(page);
  await limit({ max_requests_per_1_minute: 100_000 });
  await expect(page.getByText("Every line was answered.")).toBeVisible({ timeout: 30_000 });
  const { amount } = await ask<Batch>(`/batches/${slow.id}`);
  await expect(page.getByText(`${amount} USD`)).toBeVisible();
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download Results, 40 lines" }).click();
  const lines = (await readFile(await (await download).path(), "utf8")).trim().split("\n");
  expect(lines).toHaveLength(40);
  expect(JSON.parse(lines[3] ?? "")).toMatchObject({ custom_id: "row-3", response: { status_code: 200 } });
  await page.getByRole("link", { name: "View calls" }).click();
  await expect(page).toHaveURL(/\/requests\?.*batch_id=batch_/);
  await expect(page.getByText("40 calls", { exact: false }).first()).toBeVisible();
});

test("failed lines are grouped by error, each with its call", async ({ page }) => {
  const made = await create(writeLines(25, { model: "sandbox-500" }));
  await hasEnded(made.id);
  await page.goto("/batches?status=completed");
  await expect(rows(page)).toContainText(["sandbox-500Completed2525"]);
  await rows(page).getByRole("link").click();
  const errors = page.getByRole("region", { name: "Errors" });
  await expect(errors).toContainText("502");
  await expect(errors).toContainText("25 lines");
  await expect(errors).toContainText("and 5 lines more");
  await expect(page.getByRole("progressbar", { name: "Lines finished" })).toHaveAttribute("value", "25");
  await expect(page.getByRole("link", { name: "Download Errors, 25 lines" })).toBeVisible();
  await expectNoAxeViolations(page);
  await page.setViewportSize(PHONE);
  await expectNoSidewaysScroll(page);
  await expectNoAxeViolations(page);
  await errors.getByRole("link", { name: "Line 1 row-0" }).click();
  await expect(page).toHaveURL(/\/requests\/req_/);
  await page.goto("/batches");
  await page.getByLabel("Status", { exact: true }).selectOption("Canceled");
  await expect(page.getByText("No batch fits these filters")).toBeVisible();
  await expect(page).toHaveURL(/status=cancelled/);
});

test("a batch is canceled after a question that says what stops", async ({ page }) => {
  await limit({ max_requests_per_1_minute: 1 });
  const made = await create(writeLines(30));
  await page.goto(`/batches/${made.id}`);
  await page.getByRole("button", { name: "Cancel batch" }).click();
  const question = page.getByRole("dialog", { name: "Cancel this batch?" });
  await expect(question).toContainText(/Of 30 lines, \d+ lines have no answer yet/);
  await expectNoAxeViolations(page);
  await question.getByRole("button", { name: "Cancel batch" }).click();
  await expect(page.getByText("It was canceled.")).toBeVisible({ timeout: 15_000 });
  await expect(page.getByRole("button", { name: "Cancel batch" })).toHaveCount(0);
});

test("files are listed, begin a batch, and are deleted after a question", async ({ page }) => {
  await page.goto("/files");
  await expect(page.getByText("No files yet")).toBeVisible();
  await upload(writeLines(3, { max_tokens: 5 }));
  await page.reload();
  const files = rows(page, "Files, newest first");
  await expect(files).toContainText("input.jsonl");
  await expectNoAxeViolations(page);
  await page.setViewportSize(PHONE);
  await expectNoSidewaysScroll(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  await files.getByRole("link", { name: "Create a batch of input.jsonl" }).click();
  const dialog = page.getByRole("dialog", { name: "Create batch" });
  await expect(dialog.getByRole("region", { name: "Estimate" })).toContainText("Lines3");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(page).toHaveURL(/\/batches$/);
  await page.goto("/files?purpose=batch_output");
  await expect(page.getByText("No file of this purpose")).toBeVisible();
  await page.getByRole("button", { name: "Clear" }).click();
  await files.getByRole("button", { name: "Delete input.jsonl" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete file" }).click();
  await expect(page.getByText("No files yet")).toBeVisible();
});

test("uploads from other sites and without a session are refused, and large ones arrive whole", async ({
  page,
  gatehouse,
  browser,
}) => {
  const send = (headers: Record<string, string>, request = page.request, text = "{}") =>
    request.post(`${gatehouse.consoleUrl}/api/uploads?project_id=${projectId}`, {
      headers,
      multipart: {
        purpose: "batch",
        file: { name: "a.jsonl", mimeType: "application/jsonl", buffer: Buffer.from(text) },
      },
    });
  const own = { origin: gatehouse.consoleUrl };
  expect((await send({})).status()).toBe(403);
  expect((await send({ origin: "https://elsewhere.example" })).status()).toBe(403);
  const nobody = await browser.newContext();
  expect((await send(own, nobody.request)).status()).toBe(401);
  await nobody.close();
  const text = "x".repeat(24 * 1024 * 1024);
  const stored = await send(own, page.request, text);
  expect((await stored.json()).data).toMatchObject({ bytes: text.length, purpose: "batch" });
  const query = (fileId: string) => page.request.get(`/api/file-contents?file_id=${fileId}`);
  expect((await query("..")).status()).toBe(404);
  expect((await query("file_unknown")).status()).toBe(404);
});

test("a reader of batches can’t create or cancel one, and a member without the permission sees which one is missing", async ({
  browser,
  gatehouse,
}) => {
  await limit({ max_requests_per_1_minute: 1 });
  const { id } = await create(writeLines(5));
  const { createProjectRole } = adminApi(gatehouse);
  const reads = await createProjectRole(projectId, "Watcher", ["api.projects.read", "api.batches.read"]);
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
  await page.goto("/batches");
  await expect(rows(page)).toHaveCount(1);
  await expect(page.getByRole("button", { name: "Create batch" })).toHaveCount(0);
  await page.goto(`/batches/${id}`);
  await expect(page.getByText("In progress")).toBeVisible();
  await expect(page.getByText("api.files.read")).toBeVisible();
  await expect(page.getByRole("button", { name: "Cancel batch" })).toHaveCount(0);
  await page.goto("/batches/batch_unknown");
  await expect(page.getByText("There is no such batch")).toBeVisible();
  await expectNoAxeViolations(page);
  await open("visitor@example.com", none.id);
  await page.goto("/batches");
  await expect(page.getByText("api.batches.read")).toBeVisible();
  await page.goto("/files");
  await expect(page.getByText("api.files.read")).toBeVisible();
  await context.close();
});
