import type { Page } from "@playwright/test";
import type { Balance } from "@/lib/contract/operations/money/balance";
import { adminApi } from "../../support/clients/admin-api";
import { expect, test } from "../../support/fixtures/test";
import { chooseModel } from "../../support/pages/choose-model";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { messageBox, sendMessage } from "../../support/pages/message-box";
import { openSpecificationConsole } from "../../support/pages/open-specification-console";
import { openDetails, receiptCosts } from "../../support/pages/receipts";
import { createSelectedProject } from "../../support/pages/select-project";
import { signIn } from "../../support/pages/sign-in";
import { PHONE } from "../../support/pages/viewports";
import { startWordProvider } from "../../support/servers/word-provider";

test.use({ scene: "playground" });

let projectId: string;

test.beforeEach(async ({ page, context, gatehouse }, { title }) => {
  projectId = await createSelectedProject(context, gatehouse, title);
  await signIn(page, gatehouse);
});

async function open(page: Page, model: string): Promise<void> {
  await page.goto(`/playground?model=${model}`);
  // On a phone the settings are collapsed.
  await expect(page.getByLabel("Model", { exact: true })).toHaveValue(model);
}

/** The value beside a name in the last receipt. */
function fact(page: Page, name: string) {
  return page
    .locator("dl > div", { has: page.getByText(name, { exact: true }) })
    .last()
    .locator("dd");
}

/** Opens the details of the last answer and reads its id. */
async function readRequestId(page: Page): Promise<string> {
  await openDetails(page);
  return page
    .getByText(/^req_\w+$/)
    .last()
    .innerText();
}

test("an answer streams as Markdown, and its tokens and cost are those in the ledger", async ({
  page,
  gatehouse,
}) => {
  await open(page, "sandbox-chat");
  await expectNoAxeViolations(page);
  await sendMessage(page, "How do limits work?");
  await expect(page.getByRole("heading", { name: "A sandbox reply" })).toBeVisible();
  await expect(page.getByText("Sandbox, not an AI", { exact: true })).toBeVisible();
  await expect(receiptCosts(page)).toBeVisible();

  const [charge] = await adminApi(gatehouse).charges(await readRequestId(page));
  await expect(page.getByRole("link", { name: "View in balance" })).toBeVisible();
  expect(charge?.project_id).toBe(projectId);
  await expect(fact(page, "Tokens in")).toHaveText(String(charge?.prompt_tokens));
  await expect(fact(page, "Tokens out")).toHaveText(String(charge?.completion_tokens));
  await expect(fact(page, "Cost").locator("data")).toHaveAttribute("value", charge?.amount ?? "");
  await expect(fact(page, "Finish")).toHaveText("stop");
  await expectNoAxeViolations(page);
});

test("Escape stops the provider's call half-way, and only what came is charged", async ({
  page,
  gatehouse,
}) => {
  const provider = await startWordProvider(500);
  const api = adminApi(gatehouse);
  await api.createProvider("slow", provider.baseUrl);
  await api.createModel({
    id: "slow-words",
    family: "chat",
    rate: "1",
    price: { input_per_1m: "1", output_per_1m: "1" },
    routes: [{ provider: "slow", model: "any" }],
  });
  await open(page, "slow-words");
  await sendMessage(page, "Count");
  await expect(page.getByText("word3")).toBeVisible();
  await page.keyboard.press("Escape");

  await expect(page.getByRole("article").getByText("Stopped")).toBeVisible();
  await expect.poll(() => provider.calls[0]?.isAborted).toBe(true);
  expect(provider.calls[0]?.wordsSent).toBeLessThan(500);
  await expect(receiptCosts(page)).toBeVisible();
  const [charge] = await api.charges(await readRequestId(page));
  expect(charge?.completion_tokens).toBeLessThan(500);
  await expect(fact(page, "Tokens out")).toHaveText(String(charge?.completion_tokens));
  await provider.stop();
});

test("a limit that refuses is named, counts down, and keeps the message", async ({ page, gatehouse }) => {
  await adminApi(gatehouse).saveRateLimit(projectId, "sandbox-echo", { max_requests_per_1_minute: 1 });
  await page.clock.install();
  await open(page, "sandbox-echo");
  await sendMessage(page, "first");
  await expect(receiptCosts(page)).toBeVisible();
  await sendMessage(page, "second");

  const answer = page.getByRole("article").last();
  await expect(answer).toContainText("Requests per minute max_requests_per_1_minute is used up");
  await expect(answer).toContainText("1 of 1 used for sandbox-echo; this call needs 1.");
  await expect(answer.getByRole("button", { name: /^Try again in \d+ s$/ })).toBeDisabled();
  await expect(messageBox(page)).toHaveValue("second");
  await expectNoAxeViolations(page);
  await page.clock.fastForward("01:01");
  await expect(answer.getByRole("button", { name: "Try again", exact: true })).toBeEnabled();
});

test("a balance that is too low is said in words; one that covers less lowers max_tokens", async ({
  page,
  gatehouse,
}) => {
  const api = adminApi(gatehouse);
  const routes = [{ provider: "sandbox", model: "sandbox-chat" }];
  const dear = { input_per_1m: "9000000", output_per_1m: "9000000" };
  await api.createModel({ id: "dear", family: "chat", rate: "1", price: dear, routes });
  const steep = { input_per_1m: "0", output_per_1m: "100000" };
  await api.createModel({ id: "steep", family: "chat", rate: "1", price: steep, routes });

  await open(page, "dear");
  await sendMessage(page, "two words");
  const refusal = page.getByRole("article").last();
  await expect(refusal).toContainText("The balance is too low for this call");
  const { available } = await api.call<Balance>("GET", "/balance");
  await expect(refusal).toContainText(/is available; this call needs at least/);
  await expect(refusal.locator("data").first()).toHaveAttribute("value", available);
  await expect(refusal.locator("data").last()).toHaveAttribute("value", "27.00");
  await expect(refusal.getByRole("link", { name: "Record a payment" })).toBeVisible();

  await chooseModel(page, "steep");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await expect(
    page.getByText(/Max output tokens were limited to \d+: .*the balance covers no more/),
  ).toBeVisible();
  await openDetails(page);
  await expect(fact(page, "Finish")).toHaveText("length");
  await api.call("POST", "/payments", { amount: "10.00" });
});

test("runs and loads nothing that a model writes", async ({ page, gatehouse }) => {
  const elsewhere: string[] = [];
  page.on("request", (request) => {
    if (new URL(request.url()).origin !== gatehouse.consoleUrl) elsewhere.push(request.url());
  });
  page.on("dialog", (dialog) => elsewhere.push(dialog.message()));
  await open(page, "sandbox-echo");
  await sendMessage(
    page,
    [
      "<img src=x onerror=alert(1)><script>alert(1)</script>",
      "[run](javascript:alert(1)) [inside](/sign-out) [out](https://elsewhere.example/a)",
      "![picture](http://127.0.0.1:1/x.png)",
    ].join("\n\n"),
  );
  await expect(receiptCosts(page)).toBeVisible();
  const answer = page.getByRole("article");
  await expect(answer.getByRole("link", { name: "out", exact: true })).toHaveAttribute(
    "rel",
    "noopener noreferrer nofollow",
  );
  await expect(answer).toContainText("(https://elsewhere.example/a)");
  await expect(answer).toContainText("<script>alert(1)</script>");
  await expect(answer.getByText("run", { exact: true })).toBeVisible();
  expect(await answer.locator("img, script, a[href^='/sign'], a[href^='javascript']").count()).toBe(0);
  expect(elsewhere).toEqual([]);
});

test("a message can be written anew, and a conversation begun anew", async ({ page }) => {
  await open(page, "sandbox-echo");
  await messageBox(page).fill("one");
  await page.keyboard.press("Shift+Enter");
  await page.keyboard.type("two");
  await expect(messageBox(page)).toHaveValue("one\ntwo");
  await page.keyboard.press("Control+Enter");
  await expect(receiptCosts(page)).toBeVisible();

  await page.getByRole("button", { name: "Edit message" }).click();
  const editor = page.getByRole("textbox", { name: "Text of the message" });
  await expect(editor).toBeFocused();
  await editor.fill("three");
  await page.keyboard.press("Control+Enter");
  await expect(fact(page, "Tokens in")).toHaveText("1");
  await expect(page.getByRole("article")).toHaveCount(1);

  await page.getByRole("button", { name: "New conversation" }).click();
  await expect(page.getByRole("list", { name: "Examples" })).toBeVisible();
  await expect(messageBox(page)).toBeFocused();
});

test("on a phone nothing scrolls sideways, and settings that are wrong show themselves", async ({ page }) => {
  await page.setViewportSize(PHONE);
  await open(page, "sandbox-chat");
  await sendMessage(page, "Hello");
  await expect(receiptCosts(page)).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width);
  await page.getByRole("button", { name: /^Settings/ }).click();
  await page.getByLabel("Temperature").fill("3");
  await page.getByRole("button", { name: /^Settings/ }).click();
  await sendMessage(page, "Again");
  await expect(page.getByLabel("Temperature")).toHaveAttribute("aria-invalid", "true");
  await expect(messageBox(page)).toHaveValue("Again");
  await expectNoAxeViolations(page);
});

test("a specification-only gateway answers a typed model", async ({ browser, elsewhere }) => {
  const { page, stop } = await openSpecificationConsole(browser, elsewhere);
  await page.goto("/playground");
  await sendMessage(page, "Hello there");
  await expect(page.getByLabel("Model")).toHaveAttribute("aria-invalid", "true");
  await page.getByLabel("Model").fill("any-model");
  await sendMessage(page, "Hello there");
  await expect(page.getByRole("article")).toContainText("Hello there");
  await openDetails(page);
  await expect(fact(page, "Finish")).toHaveText("stop");
  await expect(page.getByText("Cost", { exact: true })).toHaveCount(0);
  await expectNoAxeViolations(page);
  await stop();
});
