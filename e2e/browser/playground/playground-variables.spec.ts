import type { Page } from "@playwright/test";
import type { Prompt } from "@/lib/contract/operations/playground/prompts";
import { adminApi } from "../../support/clients/admin-api";
import { expect, test } from "../../support/fixtures/test";
import { chooseModel } from "../../support/pages/choose-model";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { expectNoSidewaysScroll } from "../../support/pages/expect-no-sideways-scroll";
import { messageBox, sendMessage } from "../../support/pages/message-box";
import { createSelectedProject } from "../../support/pages/select-project";
import { signIn } from "../../support/pages/sign-in";
import { PHONE } from "../../support/pages/viewports";

test.use({ scene: "playground-variables" });

let projectId: string;

test.beforeEach(async ({ page, context, gatehouse }, { title }) => {
  projectId = await createSelectedProject(context, gatehouse, title);
  await signIn(page, gatehouse);
});

const pane = (page: Page, place: number) => page.getByRole("region", { name: new RegExp(`^Pane ${place}:`) });
const answer = (page: Page, place = 1) => pane(page, place).getByRole("article").last();
const variables = (page: Page) => page.getByRole("region", { name: "Variables" });
const checks = (page: Page) => page.getByRole("region", { name: "Checks" });
const verdict = (page: Page, check: string, place: number) =>
  checks(page)
    .getByRole("row")
    .filter({ hasText: check })
    .getByRole("cell")
    .nth(place - 1);

test("a prompt opens with its first case filled in; two models answer it, each check is told for both, and the next case is a choice away", async ({
  page,
  gatehouse,
}) => {
  const api = adminApi(gatehouse);
  const check = { type: "contains", text: "Ada" };
  const { id } = await api.call<Prompt>("POST", `/projects/${projectId}/prompts`, {
    name: "Greeting",
    content: {
      endpoint: "chat_completions",
      body: { messages: [{ role: "user", content: "Greet {{name}} from {{ place }}" }] },
    },
    cases: [
      { variables: { name: "Ada", place: "London" }, checks: [check, { type: "equals", text: "nothing" }] },
      { variables: { name: "Grace", place: "{{name}}" }, checks: [check] },
    ],
  });
  await page.goto(`/prompts/${id}`);
  await page.getByRole("button", { name: "Open in playground" }).click();
  await expect(page.getByRole("link", { name: "Greeting", exact: true })).toBeVisible();
  await expect(page.getByText("v1", { exact: true })).toBeVisible();
  await expect(variables(page).getByLabel("Values of")).toHaveValue("0");
  await chooseModel(pane(page, 1), "sandbox-echo");
  await page.getByRole("button", { name: "Add pane" }).click();
  await chooseModel(pane(page, 2), "sandbox-chat");
  await expect(pane(page, 2)).toContainText("Greet Ada from London");
  await page.getByRole("button", { name: "Send to 2" }).click();
  await expect(answer(page)).toContainText("Greet Ada from London");
  for (const place of [1, 2]) {
    await expect(verdict(page, "contains “Ada”", place)).toHaveText("Passed");
    await expect(verdict(page, "equals “nothing”", place)).toHaveText("Failed: Is not “nothing”");
  }
  await expectNoAxeViolations(page);

  await variables(page).getByLabel("Values of").selectOption({ label: "Case 2: Grace, {{name}}" });
  // What was sent stays as it was, until it is asked again.
  await expect(pane(page, 1)).toContainText("Greet Ada from London");
  await pane(page, 1).getByRole("button", { name: "More for this answer" }).click();
  await page.getByRole("menuitem", { name: "Answer again from here" }).click();
  await expect(answer(page)).toContainText("Greet Grace from {{name}}");
  await expect(verdict(page, "contains “Ada”", 1)).toHaveText("Failed: Does not contain “Ada”");

  await page.reload();
  await expect(variables(page).getByLabel("{{name}}", { exact: true })).toHaveValue("Grace");
  await variables(page).getByLabel("{{name}}", { exact: true }).fill("Linus");
  await expect(variables(page).getByLabel("Values of").locator("option:checked")).toHaveText("Own values");
  await expect(checks(page)).toHaveCount(0);
  await page.getByLabel("Temperature").fill("0.3");
  await expect(page.getByText("v1 · edited")).toBeVisible();
  await page.getByRole("button", { name: "Save version 2" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Save version", exact: true }).click();
  await expect(page.getByText("v2", { exact: true })).toBeVisible();
  const saved = await api.call<Prompt>("GET", `/projects/${projectId}/prompts/${id}`);
  expect(saved.content.body.messages).toEqual([{ role: "user", content: "Greet {{name}} from {{ place }}" }]);
});

test("a variable that is typed gets a field; without a value it is sent as written, and it works on a phone", async ({
  page,
}) => {
  await page.goto("/playground?model=sandbox-echo");
  await expect(variables(page)).toHaveCount(0);
  await messageBox(page).fill("Say {{word}} twice");
  const field = variables(page).getByLabel("{{word}}", { exact: true });
  await expect(field).toHaveAttribute("placeholder", "No value: sent as written");
  await expectNoAxeViolations(page);
  await messageBox(page).press("Enter");
  const question = page.getByRole("dialog", { name: "A variable has no value" });
  await expect(question).toContainText("{{word}} would be sent as it is written");
  await expectNoAxeViolations(page);
  await question.getByRole("button", { name: "Send as written" }).click();
  await expect(answer(page)).toContainText("Say {{word}} twice");

  await page.setViewportSize(PHONE);
  await page.getByRole("button", { name: "Settings" }).click();
  await field.fill("hello");
  await expectNoSidewaysScroll(page);
  await expectNoAxeViolations(page);
  await page.getByRole("button", { name: "Settings" }).click();
  // What was sent stays as it was.
  await expect(pane(page, 1)).toContainText("Say {{word}} twice");
  await sendMessage(page, "And {{word}} again");
  await expect(answer(page)).toContainText("And hello again");
});

test("values that would make a call of megabytes refuse it in words, and the message stays", async ({
  page,
}) => {
  await page.goto("/playground?model=sandbox-echo");
  await messageBox(page).fill("{{x}}".repeat(1_000));
  await variables(page).getByLabel("{{x}}", { exact: true }).fill("x".repeat(20_000));
  await messageBox(page).press("Enter");
  await expect(answer(page)).toContainText("With its variables filled in, the call is longer than 4,000,000");
  await expect(messageBox(page)).toHaveValue("{{x}}".repeat(1_000));
});
