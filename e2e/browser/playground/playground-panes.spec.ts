import type { Locator, Page } from "@playwright/test";
import { adminApi } from "../../support/clients/admin-api";
import { expect, test } from "../../support/fixtures/test";
import { attachFiles } from "../../support/pages/attach-files";
import { chooseModel } from "../../support/pages/choose-model";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { expectNoSidewaysScroll } from "../../support/pages/expect-no-sideways-scroll";
import { messageBox, sendMessage } from "../../support/pages/message-box";
import { receiptCosts } from "../../support/pages/receipts";
import { createSelectedProject } from "../../support/pages/select-project";
import { signIn } from "../../support/pages/sign-in";
import { PHONE } from "../../support/pages/viewports";
import { startWordProvider } from "../../support/servers/word-provider";

test.use({ scene: "playground panes" });

let projectId: string;

test.beforeEach(async ({ page, context, gatehouse }, { title }) => {
  projectId = await createSelectedProject(context, gatehouse, title);
  await signIn(page, gatehouse);
});

const pane = (page: Page, place: number) => page.getByRole("region", { name: `Pane ${place}:` });

async function openPanes(page: Page, ...models: string[]): Promise<Locator[]> {
  await page.goto(`/playground?model=${models[0]}`);
  await expect(page.getByLabel("Model", { exact: true })).toHaveValue(models[0] ?? "");
  for (const [index, model] of models.slice(1).entries()) {
    await page.getByRole("button", { name: "Add pane" }).click();
    await chooseModel(pane(page, index + 2), model);
  }
  return models.map((_, index) => pane(page, index + 1));
}

async function chooseEntry(page: Page, menu: Locator, entry: string): Promise<void> {
  await menu.click();
  await page.getByRole("menuitem", { name: entry }).click();
}

test("one message goes to three models at once: what each costs and takes is compared, and a refusal stays in its pane", async ({
  page,
  gatehouse,
}) => {
  await adminApi(gatehouse).saveRateLimit(projectId, "sandbox-slow", { max_requests_per_1_minute: 0 });
  const [chat, echo, slow] = await openPanes(page, "sandbox-chat", "sandbox-echo", "sandbox-slow");
  if (!chat || !echo || !slow) throw new Error("three panes");
  await sendMessage(page, "What is a limit?");
  await expect(chat.getByText("Longest", { exact: true })).toBeVisible();
  await expect(echo.getByText("Cheapest", { exact: true })).toBeVisible();
  await expect(slow.getByText("Refused", { exact: true })).toBeVisible();
  await expect(slow).toContainText("max_requests_per_1_minute");
  await expect(messageBox(page)).toHaveValue("");
  await expectNoAxeViolations(page);

  await page.getByRole("button", { name: "Differences" }).click();
  const dialog = page.getByRole("dialog", { name: "Differences of two answers" });
  await expect(dialog.locator("del").first()).toBeVisible();
  await expectNoAxeViolations(page);
  await page.keyboard.press("Escape");

  await sendMessage(page, "And then?");
  await expect(echo.getByRole("article").last()).toContainText("And then?");
  await expect(echo.getByRole("article")).toHaveCount(2);
  await page.setViewportSize(PHONE);
  await page.getByRole("button", { name: "2 sandbox-echo" }).click();
  await expect(echo).toBeVisible();
  await expect(chat).toBeHidden();
  await expectNoSidewaysScroll(page);
  await expectNoAxeViolations(page);
});

test("an answer that its output limit cut off says so", async ({ page }) => {
  const [echo = page] = await openPanes(page, "sandbox-echo");
  await page.getByLabel("Max output tokens").fill("2");
  await sendMessage(page, "one two three four");
  await expect(echo.getByText("Cut off")).toBeVisible();
  await expect(page.getByText("The answer reached its limit of output tokens.")).toBeVisible();
  await page.getByLabel("Max output tokens").fill("50");
  await sendMessage(page, "one two");
  await expect(page.getByRole("article")).toHaveCount(2);
  await expect(receiptCosts(page)).toHaveCount(2);
  await expect(echo.getByText("Cut off")).toHaveCount(1);
  await expectNoAxeViolations(page);
});

test("an output limit above the model's is sent, and the answer says what it was limited to", async ({
  page,
}) => {
  await openPanes(page, "sandbox-echo");
  await page.getByLabel("Max output tokens").fill("200,000");
  await sendMessage(page, "one two three");
  await expect(
    page.getByText(/Max output tokens were limited to 64,000: the model writes no more/),
  ).toBeVisible();
  await expectNoAxeViolations(page);
});

test("every setting is sent as it was set, and a pane may have its own", async ({ page, gatehouse }) => {
  const provider = await startWordProvider(2);
  const api = adminApi(gatehouse);
  await api.createProvider("seen", provider.baseUrl);
  const price = { input_per_1m: "1", output_per_1m: "1" };
  for (const id of ["seen-a", "seen-b"]) {
    await api.createModel({
      id,
      family: "chat",
      rate: "1",
      price,
      routes: [{ provider: "seen", model: id }],
    });
  }
  const [, second] = await openPanes(page, "seen-a", "seen-b");
  if (!second) throw new Error("two panes");
  await page.getByLabel("System", { exact: true }).fill("Be brief.");
  await page.getByLabel("Temperature").fill("0.4");
  await page.getByText("More settings").click();
  await page.getByLabel("Further parameters").fill('{"logprobs": true');
  await sendMessage(page, "Hi");
  await expect(page.getByLabel("Further parameters")).toHaveAttribute("aria-invalid", "true");
  await expect(messageBox(page)).toHaveValue("Hi");
  await page.getByLabel("Further parameters").fill('{"logprobs": true}');
  await expect(page.getByLabel("Further parameters")).not.toHaveAttribute("aria-invalid", "true");
  await chooseEntry(
    page,
    second.getByRole("button", { name: "More for this pane" }),
    "Give this pane its own settings",
  );
  await expect(page.getByLabel("Settings of")).toContainText("Pane 2: seen-b");
  await page.getByLabel("Temperature").fill("1.5");
  await messageBox(page).press("Enter");
  await expect(receiptCosts(page)).toHaveCount(2);
  const bodies = Object.fromEntries(provider.calls.map(({ body }) => [body.model ?? "", body]));
  expect(bodies["seen-a"]).toMatchObject({
    temperature: 0.4,
    logprobs: true,
    messages: [{ role: "system", content: "Be brief." }, { role: "user" }],
  });
  expect(bodies["seen-b"]).toMatchObject({ temperature: 1.5, logprobs: true });
  await expectNoAxeViolations(page);
  await provider.stop();
});

test("a conversation is edited, reordered, cut and continued by hand", async ({ page }) => {
  const [only] = await openPanes(page, "sandbox-echo");
  if (!only) throw new Error("a pane");
  for (const text of ["one", "two"]) {
    await sendMessage(page, text);
    await expect(only.getByRole("article").last()).toContainText(text);
    await expect(receiptCosts(page)).toHaveCount(text === "one" ? 1 : 2);
  }
  const more = (index: number) =>
    only.getByRole("button", { name: /^More for this (message|answer)$/ }).nth(index);
  const said = () => only.getByRole("list", { name: "Conversation", exact: true }).locator("> li");
  await chooseEntry(page, more(2), "Delete");
  await expect(said()).toHaveCount(3);
  await chooseEntry(page, more(0), "Move down");
  await expect(said().nth(1)).toContainText("one");
  await expect(said().nth(1).getByRole("article")).toHaveCount(0);
  await chooseEntry(page, more(1), "Answer again from here");
  await expect(said()).toHaveCount(3);
  await expect(only.getByRole("article").last()).toContainText("one");

  await said().nth(2).getByRole("button", { name: "Edit answer" }).click();
  await page.getByRole("textbox", { name: "Text of the message" }).fill("Once upon");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(only.getByRole("article").last()).toContainText("Once upon");
  await chooseEntry(page, more(2), "Request and reply");
  const raw = page.getByRole("dialog", { name: "Request and reply" });
  await expect(raw).toContainText('"model": "sandbox-echo"');
  await raw.getByRole("tab", { name: "Reply" }).click();
  await expect(raw).toContainText("x-request-id: req_");
  await expectNoAxeViolations(page);
});

test("messages are added without being sent, and an answer that is begun by hand is continued", async ({
  page,
  gatehouse,
}) => {
  const provider = await startWordProvider(2);
  const api = adminApi(gatehouse);
  await api.createProvider("begun", provider.baseUrl);
  const price = { input_per_1m: "1", output_per_1m: "1" };
  const routes = [{ provider: "begun", model: "words" }];
  await api.createModel({ id: "begun-words", family: "chat", rate: "1", price, routes });
  const [only] = await openPanes(page, "begun-words");
  if (!only) throw new Error("a pane");
  const said = only.getByRole("list", { name: "Conversation", exact: true }).locator("> li");
  await messageBox(page).fill("Name a color.");
  await page.keyboard.press("Alt+Enter");
  await expect(said).toHaveText([/Name a color\./]);
  await expect(messageBox(page)).toHaveValue("");
  expect(provider.calls).toHaveLength(0);

  await chooseEntry(page, only.getByRole("button", { name: "More for this message" }), "Add an answer below");
  await page.keyboard.press("Escape");
  await expect(said).toHaveCount(1);
  await chooseEntry(page, only.getByRole("button", { name: "More for this message" }), "Add an answer below");
  await page.getByRole("textbox", { name: "Text of the message" }).fill("A color is");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expectNoAxeViolations(page);
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await expect(only.getByRole("article", { name: "Answer of begun-words" })).toContainText("word2");
  expect(provider.calls[0]?.body).toMatchObject({
    messages: [
      { role: "user", content: "Name a color." },
      { role: "assistant", content: "A color is" },
    ],
  });
  await provider.stop();
});

test("all of it goes by keyboard, and nothing is lost by a reload", async ({ page }) => {
  await openPanes(page, "sandbox-echo");
  await messageBox(page).focus();
  await page.keyboard.press("Alt+P");
  await chooseModel(pane(page, 2), "sandbox-echo");
  await messageBox(page).focus();
  await page.keyboard.press("Alt+Period");
  await expect(page.getByRole("group", { name: /^Conversation with/ }).nth(0)).toBeFocused();
  const divider = page.getByRole("separator", { name: "Width of pane 1" });
  await expect(divider).toHaveAttribute("aria-valuenow", "50");
  await divider.focus();
  await page.keyboard.press("ArrowLeft");
  await expect(divider).not.toHaveAttribute("aria-valuenow", "50");
  await sendMessage(page, "kept words");
  await expect(receiptCosts(page)).toHaveCount(2);
  await messageBox(page).fill("half a thou");
  await page.reload();
  await expect(messageBox(page)).toHaveValue("half a thou");
  await expect(pane(page, 2).getByRole("article")).toContainText("kept words");
  await messageBox(page).focus();
  await page.keyboard.press("Alt+N");
  await expect(page.getByRole("article")).toHaveCount(0);
  await page.locator("body").click({ position: { x: 5, y: 400 } });
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toContainText("Add a pane");
});

test("a text file is sent along, and what no model takes is refused by name", async ({ page }) => {
  const [only] = await openPanes(page, "sandbox-echo");
  await attachFiles(page, [
    { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("three small words") },
    { name: "app.exe", mimeType: "application/octet-stream", buffer: Buffer.from("MZ") },
  ]);
  await expect(page.getByText("app.exe is not an image, a PDF, a recording or text.").first()).toBeVisible();
  await expect(page.getByRole("list", { name: "Files" })).toContainText("notes.txt");
  await sendMessage(page, "Read this");
  await expect(only?.getByRole("article") ?? page.locator("none")).toContainText("three small words");
  await expectNoAxeViolations(page);
});
