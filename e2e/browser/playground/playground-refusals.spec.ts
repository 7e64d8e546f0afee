import type { Locator, Page } from "@playwright/test";
import { adminApi } from "../../support/clients/admin-api";
import { expect, test } from "../../support/fixtures/test";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { messageBox, sendMessage } from "../../support/pages/message-box";
import { openAsMember } from "../../support/pages/open-as-member";
import { receiptCosts } from "../../support/pages/receipts";
import { createSelectedProject } from "../../support/pages/select-project";
import { signIn } from "../../support/pages/sign-in";

// Each check that can refuse a chat, and what the person in front of it reads.
test.use({ scene: "playground-refusals" });

let projectId: string;

test.beforeEach(async ({ page, context, gatehouse }, { title }) => {
  projectId = await createSelectedProject(context, gatehouse, title);
  await signIn(page, gatehouse);
});

const answer = (page: Page) => page.getByRole("article").last();

async function send(page: Page, text: string, model = "sandbox-echo"): Promise<Locator> {
  await page.goto(`/playground?model=${model}`);
  await sendMessage(page, text);
  return answer(page);
}

test("a call that is larger than its limit can never pass: no retry is offered", async ({
  page,
  gatehouse,
}) => {
  await adminApi(gatehouse).saveRateLimit(projectId, "sandbox-echo", { max_tokens_per_1_minute: 2 });
  const refused = await send(page, "one two three four five");
  await expect(refused).toContainText(
    "Tokens per minute max_tokens_per_1_minute is less than this call needs",
  );
  await expect(refused).toContainText(
    /0 of 2 used for sandbox-echo; this call needs [\d,]+\. It can never pass/,
  );
  await expect(refused.getByRole("button", { name: /Try again/ })).toHaveCount(0);
  await expect(refused.getByRole("link", { name: "View rate limits" })).toBeVisible();
  await expect(messageBox(page)).toHaveValue("one two three four five");
  await adminApi(gatehouse).saveRateLimit(projectId, "sandbox-echo", { max_requests_per_1_minute: 0 });
  await messageBox(page).press("Enter");
  await expect(refused).toContainText("No call can pass: have the limit raised.");
  await expectNoAxeViolations(page);
});

test("a refused message that is answered again leaves the composer, and stays when another is sent", async ({
  page,
  gatehouse,
}) => {
  await adminApi(gatehouse).saveRateLimit(projectId, "sandbox-echo", { max_requests_per_1_minute: 0 });
  const refused = await send(page, "first words");
  await expect(messageBox(page)).toHaveValue("first words");
  await refused.getByRole("button", { name: "More for this answer" }).click();
  await page.getByRole("menuitem", { name: "Answer again from here" }).click();
  await expect(messageBox(page)).toHaveValue("");
  await expect(refused).toContainText("No call can pass");
  await sendMessage(page, "second words");
  await expect(messageBox(page)).toHaveValue("second words");
  await expect(page.getByText("You: first words")).toBeVisible();
  await expect(page.getByText("You: second words")).toBeVisible();
});

test("who may not read limits is told which one refused, without a way to them", async ({
  page,
  context,
  gatehouse,
}) => {
  await adminApi(gatehouse).saveRateLimit(projectId, "sandbox-echo", { max_requests_per_1_minute: 0 });
  const email = "no-limits@example.com";
  await openAsMember(context, gatehouse, { email, name: "Nola", role: "prompt_tester" });
  const refused = await send(page, "Say hello");
  await expect(refused).toContainText("Requests per minute");
  await expect(refused.getByRole("link", { name: "View rate limits" })).toHaveCount(0);
});

test("a limit of a day counts down in hours", async ({ page, gatehouse }) => {
  await adminApi(gatehouse).saveRateLimit(projectId, "sandbox-echo", { max_requests_per_1_day: 1 });
  await expect(await send(page, "first")).toContainText("first");
  await expect(receiptCosts(page)).toBeVisible();
  await sendMessage(page, "second");
  await expect(answer(page)).toContainText("Requests per day max_requests_per_1_day is used up");
  await expect(answer(page)).toContainText("1 of 1 used for sandbox-echo; this call needs 1.");
  await expect(answer(page).getByRole("button", { name: /^Try again in (24|23) h/ })).toBeDisabled();
});

test("a spend limit is told as a spend limit, with its figures, its next month and the way to it", async ({
  page,
  gatehouse,
}) => {
  const limit = { currency: "USD", interval: "month", threshold_amount: 0 };
  await adminApi(gatehouse).call("POST", `/projects/${projectId}/spend_limit`, limit);
  const refused = await send(page, "Say hello");
  await expect(refused).toContainText("The project’s spend limit is used up");
  await expect(refused).toContainText(
    /0\.00 USD of 0\.00 USD are spent or set aside this month; this call needs at least 0\.\d+ USD\. Have it raised, or wait until 1 [A-Z][a-z]+ \(UTC\)\./,
  );
  await expect(refused.getByRole("link", { name: "Raise the spend limit" })).toBeVisible();
  await expect(refused.getByRole("link", { name: "Record a payment" })).toHaveCount(0);
  await expect(refused.getByRole("link", { name: "Receipt" })).toBeVisible();
  await expectNoAxeViolations(page);
});

test("a model that the project may not call, and a key outside its scope, are told apart", async ({
  page,
  gatehouse,
}) => {
  const api = adminApi(gatehouse);
  await page.goto("/playground?model=sandbox-echo");
  const denied = { mode: "deny_list", model_ids: ["sandbox-echo"] };
  await api.call("POST", `/projects/${projectId}/model_permissions`, denied);
  await sendMessage(page, "Say hello");
  await expect(answer(page)).toContainText("The project may not call this model");
  await expect(answer(page).getByRole("link", { name: "Change the project’s models" })).toBeVisible();
  await api.call("POST", `/projects/${projectId}/model_permissions`, { mode: "deny_list", model_ids: [] });

  const narrow = { name: "narrow", models: ["sandbox-chat"] };
  await api.call("POST", `/projects/${projectId}/api_keys`, narrow);
  await page.reload();
  // Enter before the tab's conversation is restored sends nothing.
  await expect(messageBox(page)).toHaveValue("Say hello");
  await page.getByLabel("Run as", { exact: true }).selectOption("narrow");
  await messageBox(page).press("Enter");
  await expect(answer(page)).toContainText("The key may not make this call");
  await expect(answer(page)).toContainText('This key may not call "sandbox-echo"');
});

test("a provider at its limit is named as that, with its countdown", async ({ page }) => {
  const refused = await send(page, "Say hello", "sandbox-429");
  await expect(refused).toContainText("The provider is at its limit");
  await expect(refused.getByRole("button", { name: /^Try again/ })).toBeVisible();
});

test.describe("at most one call at once", () => {
  test.use({ environment: { GATEHOUSE_MAX_CONCURRENT_REQUESTS: "1" } });

  test("of two panes, the second is told that too many calls are in flight", async ({ page }) => {
    await page.goto("/playground?model=sandbox-slow");
    await page.getByRole("button", { name: "Add pane" }).click();
    await sendMessage(page, "Say hello");
    const refused = page.getByRole("article").filter({ hasText: "Too many calls at once" });
    await expect(refused).toHaveCount(1);
    await expect(refused).toContainText("1 call is in flight");
    await expectNoAxeViolations(page);
  });
});
