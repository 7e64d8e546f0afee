import type { Page } from "@playwright/test";
import type { Prompt, PromptContent } from "@/lib/contract/operations/playground/prompts";
import { adminApi } from "../../support/clients/admin-api";
import { expect, test } from "../../support/fixtures/test";
import { chooseModel } from "../../support/pages/choose-model";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { expectNoSidewaysScroll } from "../../support/pages/expect-no-sideways-scroll";
import { openAsMember } from "../../support/pages/open-as-member";
import { selectProject } from "../../support/pages/select-project";
import { DESK, PHONE } from "../../support/pages/viewports";
import type { Gatehouse } from "../../support/programs/start-gatehouse";

test.use({ scene: "playground-cases" });

const CASES = 20;
const afterRun = { timeout: 60_000 };

const says = (content: string): PromptContent => ({
  endpoint: "chat_completions",
  body: { messages: [{ role: "user", content }] },
});

/** Signs a tester in, and saves a prompt of theirs with twenty cases and a version for each text. */
async function savePrompt(
  page: Page,
  gatehouse: Gatehouse,
  title: string,
  ...texts: [string, ...string[]]
): Promise<Prompt> {
  const context = page.context();
  const project = await adminApi(gatehouse).createProject(title.slice(0, 100));
  await selectProject(context, gatehouse, project.id);
  const email = `${project.id.replace("_", "-")}@example.com`;
  const { token } = await openAsMember(context, gatehouse, { email, name: "Tess", role: "prompt_tester" });
  const tester = adminApi({ baseUrl: gatehouse.baseUrl, adminKey: token });
  const cases = Array.from({ length: CASES }, (_, index) => ({
    variables: { name: `Person${index + 1}` },
    checks: [{ type: "contains", text: `Person${index === 0 ? "X" : index + 1}` }],
  }));
  const [first, ...further] = texts;
  const prompts = `/projects/${project.id}/prompts`;
  const draft = { name: "Greeting", content: says(first), cases };
  const prompt = await tester.call<Prompt>("POST", prompts, draft);
  for (const text of further) await tester.call("POST", `${prompts}/${prompt.id}/versions`, says(text));
  return prompt;
}

const settings = (page: Page) => page.getByRole("region", { name: "Cases" });
const passed = (page: Page, model: string) => settings(page).getByRole("row").filter({ hasText: model });

async function openInPlayground(page: Page, prompt: Prompt, model: string): Promise<void> {
  await page.goto(`/prompts/${prompt.id}`);
  await page.getByRole("button", { name: "Open in playground" }).click();
  await chooseModel(page, model);
  await expect(settings(page)).toContainText("Greeting, version");
  await expect(page.getByLabel("Model", { exact: true })).toHaveValue(model);
}

test("all cases of the open prompt run from the rail by keyboard: the cost before, who passed, and the answers one click away", async ({
  page,
  gatehouse,
}, { title }) => {
  const prompt = await savePrompt(page, gatehouse, title, "Greet {{name}} warmly");
  await openInPlayground(page, prompt, "sandbox-echo");
  await expect(settings(page)).toContainText(
    /20 cases × 1 model = 20 calls\. Expected cost ≈ .*, at most .*\./,
  );
  await expect(settings(page)).not.toContainText("Your edits");
  await expectNoAxeViolations(page);
  await settings(page).getByRole("button", { name: "Run 20 cases" }).focus();
  await page.keyboard.press("Enter");
  await expect(passed(page, "sandbox-echo")).toContainText("19 of 20", afterRun);
  await expect(settings(page).getByRole("button", { name: "Run 20 cases" })).toBeVisible();
  await expectNoAxeViolations(page);

  await page.reload();
  await expect(settings(page)).toContainText("Passed in the last run");
  await page.setViewportSize(PHONE);
  await page.getByRole("button", { name: "Settings" }).click();
  await expect(passed(page, "sandbox-echo")).toContainText("19 of 20");
  await expectNoSidewaysScroll(page);
  await page.setViewportSize(DESK);
  await settings(page).getByRole("link", { name: "Compare answers" }).click();
  await expect(page.getByRole("table", { name: "Answers, case by case" })).toContainText(
    "Greet Person2 warmly",
  );
  await expect(page).toHaveURL(/tab=runs&run=/);
});

test("a run from the rail is stopped and keeps its results; edits that no version has are told", async ({
  page,
  gatehouse,
}, { title }) => {
  const prompt = await savePrompt(page, gatehouse, title, "Greet {{name}} slowly");
  await openInPlayground(page, prompt, "sandbox-slow");
  await settings(page).getByRole("button", { name: "Run 20 cases" }).click();
  await expect(settings(page).getByRole("progressbar", { name: "Running" })).toBeVisible();
  await expect(settings(page)).toContainText("Leaving this conversation stops the run.");
  await expectNoAxeViolations(page);
  await expect(passed(page, "sandbox-slow")).toContainText(/[1-9] of [1-9]/, afterRun);
  await settings(page).getByRole("button", { name: "Stop" }).click();
  await expect(settings(page).getByRole("link", { name: "Compare answers" })).toBeVisible(afterRun);
  await expect(passed(page, "sandbox-slow")).toContainText(/[1-9] of \d/);
  await expect(passed(page, "sandbox-slow")).not.toContainText("of 20");

  await page.getByLabel("Temperature").fill("0.3");
  await expect(settings(page)).toContainText(
    "Your edits since then aren’t in it: save a version to run them.",
  );
  await page.getByLabel("Temperature").fill("");
  await expect(settings(page)).not.toContainText("Your edits");
});

test("a version that asks for what no case has is named before the run", async ({ page, gatehouse }, {
  title,
}) => {
  const { id } = await savePrompt(page, gatehouse, title, "{{name}} of {{company}}", "Dear {{name}}");
  await page.goto(`/prompts/${id}?tab=runs`);
  const fault = page.getByText("The cases don’t fit version 1");
  await expect(page.getByRole("button", { name: "Run 20 calls" })).toBeVisible();
  await expect(fault).toHaveCount(0);
  await page.getByLabel("Version 1", { exact: true }).check();
  await expect(fault).toBeVisible();
  await expect(page.getByText("Version 1: no value for company in any case.")).toBeVisible();
  await expectNoAxeViolations(page);
});
