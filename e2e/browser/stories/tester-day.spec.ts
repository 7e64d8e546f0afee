import type { Page } from "@playwright/test";
import { adminApi } from "../../support/clients/admin-api";
import { expect, test } from "../../support/fixtures/test";
import { expectAccessibleOnPhone } from "../../support/pages/expect-accessible";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { openAsMember } from "../../support/pages/open-as-member";
import { selectProject } from "../../support/pages/select-project";

test.use({ scene: "tester-day" });
// A whole day with real calls can exceed the default minute on a busy machine.
test.describe.configure({ timeout: 180_000 });

/** The time limit for elements that appear once a run has ended. */
const afterRun = { timeout: 30_000 };

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
const part = (page: Page, name: string | RegExp) =>
  page.getByRole("navigation", { name: "Parts of the prompt" }).getByRole("link", { name });

type NewCase = { number: number; name: string; check: readonly [kind: string, asked: string] };

/** Adds a case with a value for its only variable and one check. */
async function addCase(page: Page, { number, name, check: [kind, asked] }: NewCase) {
  await press(page, "Add case");
  const row = page.getByRole("row", { name: `Case ${number}` });
  await row.getByLabel("name", { exact: true }).fill(name);
  await row.getByRole("button", { name: "Add check" }).click();
  await row.getByLabel(`Kind of check 1 of case ${number}`).selectOption({ label: kind });
  await row.getByLabel(`Check 1 of case ${number}`, { exact: true }).fill(asked);
}

async function savePrompt(page: Page, text: string): Promise<void> {
  await page.goto("/playground?model=sandbox-echo");
  await page.getByRole("textbox", { name: "Message", exact: true }).fill(text);
  await press(page, "Save prompt");
}

test("a tester saves a prompt, runs its cases on three models, compares a second version, shares it and finds the calls", async ({
  page,
  context,
  browser,
  gatehouse,
}) => {
  const project = await adminApi(gatehouse).createProject("Greetings");
  await selectProject(context, gatehouse, project.id);
  await openAsMember(context, gatehouse, { email: "ann@example.com", name: "Ann", role: "prompt_tester" });
  await page.goto("/prompts");
  await expect(page.getByRole("heading", { name: "No prompts yet" })).toBeVisible();
  await expectNoAxeViolations(page);

  await savePrompt(page, "Greet {{name}} warmly");
  const saving = page.getByRole("dialog", { name: "Save prompt" });
  await expect(saving).toContainText("Variables: name.");
  await expectNoAxeViolations(page);
  await saving.getByRole("textbox", { name: "Name" }).fill("Greeting");
  await saving.getByRole("button", { name: "Save prompt" }).click();
  await press(page, "View prompt");
  await expect(page.getByRole("heading", { level: 1, name: "Greeting" })).toBeVisible();
  await expect(page.getByRole("region", { name: "Text of version 1" })).toContainText(
    "Greet {{name}} warmly",
  );

  await part(page, /^Cases/).click();
  await addCase(page, { number: 1, name: "Ada", check: ["Contains", "Ada"] });
  await addCase(page, { number: 2, name: "Grace", check: ["Matches", "(?i)dear grace"] });
  await addCase(page, { number: 3, name: "Linus", check: ["Cost below", "0"] });
  await page.getByRole("button", { name: /^Save \d/ }).click();
  await expect(page.getByText("Enter an amount above 0, such as 0.01.")).toBeVisible();
  await expectNoAxeViolations(page);
  await page.getByLabel("Check 1 of case 3", { exact: true }).fill("5");
  await page.getByRole("button", { name: /^Save \d/ }).click();
  await expect(page.getByText(/^Saved \d changes/)).toBeVisible();

  await part(page, "Runs").click();
  for (const model of ["sandbox-echo", "sandbox-chat", "sandbox-429"])
    await page.getByLabel(model, { exact: true }).check();
  await expect(page.getByText(/3 cases × 3 models × 1 version = 9 calls\. Expected cost ≈/)).toBeVisible();
  await expectNoAxeViolations(page);
  await press(page, "Run 9 calls");
  const summary = page.getByRole("table", { name: "Each version with each model" });
  const findRow = (model: string) => summary.getByRole("row").filter({ hasText: model });
  await expect(findRow("sandbox-echo")).toContainText("2 of 3", afterRun);
  await expect(findRow("sandbox-chat")).toContainText("2 of 3", afterRun);
  await expect(findRow("sandbox-429")).toContainText("0 of 3", afterRun);
  const answers = page.getByRole("table", { name: "Answers, case by case" });
  await expect(answers.getByText("Does not match (?i)dear grace")).toHaveCount(2);
  await expect(page.getByRole("button", { name: "Run the 3 that did not finish" })).toBeVisible(afterRun);
  await expectNoAxeViolations(page);
  await answers.getByRole("button", { name: "Answer: Case 1, sandbox-echo, version 1" }).click();
  const answer = page.getByRole("dialog", { name: "Case 1 · sandbox-echo · version 1" });
  await expect(answer).toContainText("Greet Ada warmly");
  await expectNoAxeViolations(page);
  await page.keyboard.press("Escape");
  const download = page.waitForEvent("download");
  await press(page, "CSV");
  expect((await download).suggestedFilename()).toBe("Greeting.csv");

  await part(page, "Versions").click();
  await press(page, "Open in playground");
  await expect(page).toHaveURL(/\/playground$/);
  await expect(page.getByRole("group", { name: "Conversation with sandbox-echo" })).toContainText(
    "Greet Ada warmly",
  );
  await page.getByLabel("System", { exact: true }).fill("You write letters.");
  await press(page, "Edit message");
  await page.getByRole("textbox", { name: "Text of the message" }).fill("Dear {{name}}, welcome");
  await press(page, "Save");
  await press(page, "Code");
  await expect(page.getByRole("dialog")).toContainText("Dear Ada, welcome");
  await page.keyboard.press("Escape");
  await press(page, "Save version 2");
  await expect(saving.getByLabel("Save as").locator("option:checked")).toHaveText("Version 2 of “Greeting”");
  await press(page, "Save version");
  await press(page, "View prompt");
  await page.getByLabel("Compare with").selectOption("1");
  const difference = page.getByRole("region", { name: "Differences from version 1 to 2" });
  await expect(difference.locator("ins").first()).toContainText("You write letters.");
  await expectNoAxeViolations(page);

  await part(page, "Runs").click();
  await page.getByLabel("Version 1", { exact: true }).check();
  await press(page, "Run 6 calls");
  await expect(findRow("sandbox-echo")).toHaveCount(2);
  await expect(findRow("sandbox-echo").nth(0)).toContainText("2 of 3", afterRun);
  await expect(findRow("sandbox-echo").nth(1)).toContainText("3 of 3", afterRun);
  await expect(answers.getByRole("columnheader")).toHaveText([
    "Case",
    "sandbox-echoVersion 1",
    "sandbox-echoVersion 2",
  ]);
  await expectAccessibleOnPhone(page);

  await press(page, "Share");
  await expectNoAxeViolations(page);
  await press(page, "Share with the project");
  await expect(page.getByText("Shared with the project by you.")).toBeVisible();
  const address = page.url();
  await answers.getByRole("link", { name: "Receipt: Case 1, sandbox-echo, version 2" }).click();
  await expect(page).toHaveURL(/\/requests\/req_/);
  await expect(page.getByRole("main")).toContainText("sandbox-echo");

  const elsewhere = await browser.newContext({ baseURL: gatehouse.consoleUrl });
  await selectProject(elsewhere, gatehouse, project.id);
  await openAsMember(elsewhere, gatehouse, { email: "bob@example.com", name: "Bob", role: "prompt_tester" });
  const reader = await elsewhere.newPage();
  await reader.goto(address);
  await expect(reader.getByText("Shared with the project by Ann.")).toBeVisible();
  await expect(reader.getByRole("table", { name: "Answers, case by case" })).toContainText(
    "Dear Ada, welcome",
  );
  await expect(reader.getByRole("button", { name: "Share" })).toHaveCount(0);
  await elsewhere.close();
});

test("a stopped run keeps its results, continues with the rest, and shows which check refuses a call", async ({
  page,
  context,
  gatehouse,
}) => {
  const api = adminApi(gatehouse);
  const project = await api.createProject("Slow");
  await selectProject(context, gatehouse, project.id);
  await openAsMember(context, gatehouse, { email: "sue@example.com", name: "Sue", role: "prompt_tester" });
  const limit = { max_requests_per_1_minute: 2 };
  await api.call("POST", `/projects/${project.id}/rate_limits/rl_sandbox-echo`, limit);
  await savePrompt(page, "{{text}}");
  const saving = page.getByRole("dialog", { name: "Save prompt" });
  await saving.getByRole("textbox", { name: "Name" }).fill("Long");
  await saving.getByRole("button", { name: "Save prompt" }).click();
  await press(page, "View prompt");
  await part(page, /^Cases/).click();
  for (let number = 1; number <= 6; number++) {
    await press(page, "Add case");
    const row = page.getByRole("row", { name: `Case ${number}` });
    await row.getByLabel("text", { exact: true }).fill("word ".repeat(number > 4 ? 1 : 300));
  }
  await page.getByRole("button", { name: /^Save \d/ }).click();
  await expect(page.getByText(/^Saved \d changes/)).toBeVisible();
  await part(page, "Runs").click();
  await page.getByLabel("sandbox-echo", { exact: true }).uncheck();
  await page.getByLabel("sandbox-slow", { exact: true }).check();
  await press(page, "Run 6 calls");
  await expect(page.getByText("0 of 6 calls")).toBeVisible();
  await expectNoAxeViolations(page);
  await press(page, "Stop");
  const answers = page.getByRole("table", { name: "Answers, case by case" });
  await expect(answers.getByText("Stopped", { exact: true })).toHaveCount(4, afterRun);
  await expect(answers.getByText("Not run", { exact: true })).toHaveCount(2);
  await page.reload();
  await expect(answers.getByText("Stopped", { exact: true })).toHaveCount(4);

  await press(page, "Run 6 calls");
  await expect(answers.getByText("Refused: Requests per minute")).toHaveCount(4, afterRun);
  await expect(answers.getByText("Answered", { exact: true })).toHaveCount(2);
  await expect(page.getByRole("button", { name: "Run the 4 that did not finish" })).toBeVisible(afterRun);
  await expectNoAxeViolations(page);
});
