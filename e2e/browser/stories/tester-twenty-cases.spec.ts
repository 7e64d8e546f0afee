import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { parseCsv } from "@/lib/contract/csv";
import { adminApi } from "../../support/clients/admin-api";
import { expect, test } from "../../support/fixtures/test";
import { messageBox } from "../../support/pages/message-box";
import { openAsMember } from "../../support/pages/open-as-member";
import { selectProject } from "../../support/pages/select-project";
import { signIn } from "../../support/pages/sign-in";
import { runSnippet } from "../../support/programs/run-snippet";

test.use({ scene: "tester-twenty-cases", permissions: ["clipboard-read", "clipboard-write"] });
// A day with more than a hundred real calls and five programs can exceed the default minute on a busy machine.
test.describe.configure({ timeout: 300_000 });

const MODELS = ["sandbox-echo", "sandbox-chat", "sandbox-slow"];
const CASES = 20;
/** The tabs of the code, with the programs that run what they show. */
const PROGRAMS = [
  ["curl", "curl"],
  ["openai", "openai"],
  ["openai, Python", "python"],
  ["@anthropic-ai/sdk", "anthropic"],
  ["AI SDK", "ai-sdk"],
] as const;
/** The time limit for elements that appear once a run has ended. */
const afterRun = { timeout: 120_000 };

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
const part = (page: Page, name: string | RegExp) =>
  page.getByRole("navigation", { name: "Parts of the prompt" }).getByRole("link", { name });
const summaryRows = (page: Page, model: string) =>
  page
    .getByRole("table", { name: "Each version with each model" })
    .getByRole("row")
    .filter({ hasText: model });
const answerTable = (page: Page) => page.getByRole("table", { name: "Answers, case by case" });

/** A case for each name, with three checks. Only the prompt's second version passes those of the last case. */
const csv = [
  "name,check:contains,check:matches,check:cost_below",
  ...Array.from({ length: CASES }, (_, index) => {
    const name = `Person${String.fromCharCode(65 + index)}`;
    return `${name},${name},${index === CASES - 1 ? "dear" : `(?i)greet.*${name}`},0.01`;
  }),
].join("\n");

test("a tester's day: twenty cases on three models, two versions in one table, shared, as code that runs, and each call in the log", async ({
  page,
  context,
  browser,
  gatehouse,
}) => {
  const api = adminApi(gatehouse);
  const project = await api.createProject("Greetings");
  await selectProject(context, gatehouse, project.id);
  await openAsMember(context, gatehouse, { email: "ann@example.com", name: "Ann", role: "prompt_tester" });
  await test.step("save a prompt with twenty cases", () => savePrompt(page));
  const [head, lines] = await test.step("run them on three models", () => runOnThreeModels(page));
  const readColumn = (name: string) => lines.map((cells) => cells[head.indexOf(name)] ?? "");
  expect(lines).toHaveLength(CASES * MODELS.length);
  expect(readColumn("passed").filter((passed) => passed === "false")).toHaveLength(MODELS.length);
  const charges = await Promise.all(readColumn("request_id").map((id) => api.charges(id)));
  expect(charges.map(([entry]) => Number(entry?.amount.replace("-", "")))).toEqual(
    readColumn("amount_usd").map(Number),
  );
  await test.step("compare a second version with the first", () => compareVersions(page));

  await press(page, "Share");
  await press(page, "Share with the project");
  await expect(page.getByText("Shared with the project by you.")).toBeVisible();
  const elsewhere = await browser.newContext({ baseURL: gatehouse.consoleUrl });
  await selectProject(elsewhere, gatehouse, project.id);
  await openAsMember(elsewhere, gatehouse, { email: "bob@example.com", name: "Bob", role: "prompt_tester" });
  const colleague = await elsewhere.newPage();
  await colleague.goto(page.url());
  await expect(colleague.getByText("Shared with the project by Ann.")).toBeVisible();
  await expect(summaryRows(colleague, "sandbox-echo").nth(1)).toContainText("20 of 20");
  await expect(answerTable(colleague)).toContainText("Warmly greet dear PersonA");

  const key = await api.createKey(project.id, "colleague-programs");
  await test.step("copy the call as code, and run it", () => runCopiedCode(colleague, key.value));
  await elsewhere.close();
  await signIn(page, gatehouse);
  await test.step("find the calls in the log", () => findInLog(page, project.id, key.id));
});

async function savePrompt(page: Page): Promise<void> {
  await page.goto("/playground?model=sandbox-echo");
  await messageBox(page).fill("Greet {{name}} warmly");
  await press(page, "Save prompt");
  const saving = page.getByRole("dialog", { name: "Save prompt" });
  await saving.getByRole("textbox", { name: "Name" }).fill("Greeting");
  await saving.getByRole("button", { name: "Save prompt" }).click();
  await press(page, "View prompt");
  await part(page, /^Cases/).click();
  await press(page, "Add from CSV");
  const adding = page.getByRole("dialog", { name: "Add cases from CSV" });
  await adding.getByLabel("CSV", { exact: true }).fill(csv);
  await expect(adding).toContainText(`Variables: name. Checks: ${3 * CASES}.`);
  await adding.getByRole("button", { name: `Add ${CASES} cases` }).click();
  await page.getByRole("button", { name: /^Save \d/ }).click();
  await expect(page.getByText(/^Saved \d+ changes?/)).toBeVisible();
}

/**
 * Stops the run on its way and lets it go on.
 * @returns the head and the lines of its CSV.
 */
async function runOnThreeModels(page: Page): Promise<[string[], string[][]]> {
  await part(page, "Runs").click();
  for (const model of MODELS) await page.getByLabel(model, { exact: true }).check();
  await expect(page.getByText(/20 cases × 3 models × 1 version = 60 calls\. Expected cost ≈/)).toBeVisible();
  await press(page, "Run 60 calls");
  await expect(page.getByText(/^[1-9]\d* of 60 calls/)).toBeVisible(afterRun);
  await press(page, "Stop");
  const rest = page.getByRole("button", { name: /^Run the \d+ that did not finish/ });
  await rest.click(afterRun);
  for (const model of MODELS) await expect(summaryRows(page, model)).toContainText("19 of 20", afterRun);
  await expect(rest).toBeHidden();
  const download = page.waitForEvent("download");
  await press(page, "CSV");
  const text = await readFile(await (await download).path(), "utf8");
  const [head = [], ...lines] = parseCsv(text, { rows: 100 }).rows.map(({ cells }) => [...cells]);
  return [head, lines];
}

/** The second version passes the check that the first one fails. */
async function compareVersions(page: Page): Promise<void> {
  await part(page, "Versions").click();
  await press(page, "Open in playground");
  await press(page, "Edit message");
  await page.getByRole("textbox", { name: "Text of the message" }).fill("Warmly greet dear {{name}}");
  await press(page, "Save");
  await press(page, "Save version 2");
  await press(page, "Save version");
  await press(page, "View prompt");
  await part(page, "Runs").click();
  await page.getByLabel("Version 1", { exact: true }).check();
  await expect(page.getByText(/20 cases × 1 model × 2 versions = 40 calls\./)).toBeVisible();
  await press(page, "Run 40 calls");
  const echoRows = summaryRows(page, "sandbox-echo");
  await expect(echoRows).toHaveCount(2, afterRun);
  await expect(echoRows.nth(0)).toContainText("19 of 20", afterRun);
  await expect(echoRows.nth(1)).toContainText("20 of 20", afterRun);
  await expect(answerTable(page).getByRole("columnheader")).toHaveText([
    "Case",
    /^sandbox-echo\s*Version 1$/,
    /^sandbox-echo\s*Version 2$/,
  ]);
}

/** Copies each snippet from the playground and runs it unchanged: whole, then as a stream. */
async function runCopiedCode(page: Page, key: string): Promise<void> {
  await part(page, "Versions").click();
  await press(page, "Open in playground");
  await press(page, "Code");
  const dialog = page.getByRole("dialog", { name: "Code" });
  for (const streams of [false, true]) {
    await dialog.getByLabel("Stream the answer").setChecked(streams);
    for (const [label, id] of PROGRAMS) {
      await dialog.getByRole("tab", { name: label, exact: true }).click();
      await dialog.getByRole("button", { name: `Copy ${label} snippet` }).click();
      const code = await page.evaluate(() => navigator.clipboard.readText());
      expect(code).not.toContain(key);
      expect(piecesIn(await runSnippet(id, code, key))).toContain("Warmly greet dear PersonA");
    }
  }
}

/** What a program prints, with the pieces of a streamed answer put together. */
function piecesIn(printed: string): string {
  const pieces = printed.matchAll(/"content":"([^"]*)"/g);
  return `${printed}\n${[...pieces].map(([, text]) => text).join("")}`;
}

/** The runs of the day and ten calls of programs, each with its receipt. */
async function findInLog(page: Page, projectId: string, keyId: string): Promise<void> {
  await page.goto(`/requests?project_id=${projectId}&api_key_id=${keyId}`);
  const rows = page.getByRole("table", { name: "Calls, newest first" }).getByRole("row");
  await expect(rows.filter({ hasText: "colleague-programs" })).toHaveCount(2 * PROGRAMS.length);
  await expect(rows.filter({ hasText: "Completed" })).toHaveCount(2 * PROGRAMS.length);
  for (let index = 1; index <= 2 * PROGRAMS.length; index++) {
    await rows.nth(index).getByRole("link").first().click();
    const receipt = page.getByRole("dialog", { name: "Completed" });
    await expect(receipt.locator("dt", { hasText: "Charge" }).first()).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
  }
}
