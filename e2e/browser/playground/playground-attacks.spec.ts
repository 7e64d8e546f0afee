import type { Page } from "@playwright/test";
import { adminApi } from "../../support/clients/admin-api";
import { expect, test } from "../../support/fixtures/test";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { messageBox, sendMessage } from "../../support/pages/message-box";
import { openAsMember } from "../../support/pages/open-as-member";
import { receiptCosts } from "../../support/pages/receipts";
import { selectProject } from "../../support/pages/select-project";
import { signIn } from "../../support/pages/sign-in";
import { startWordProvider, type WordProvider } from "../../support/servers/word-provider";

test.use({ scene: "playground attacks" });

const WORDS = 120;
let provider: WordProvider;
let projectId: string;
/** A model of each test's own, which the test may remove. */
let model: string;

test.beforeAll(async ({ gatehouse }) => {
  provider = await startWordProvider(WORDS);
  await adminApi(gatehouse).createProvider("words", provider.baseUrl);
});
test.afterAll(() => provider.stop());

test.beforeEach(async ({ context, gatehouse }, { title }) => {
  const api = adminApi(gatehouse);
  projectId = (await api.createProject(title.slice(0, 100))).id;
  model = `words-${projectId.slice(-6).toLowerCase()}`;
  const price = { input_per_1m: "1", output_per_1m: "1" };
  const routes = [{ provider: "words", model: "words" }];
  await api.createModel({ id: model, family: "chat", rate: "1", price, routes });
  await selectProject(context, gatehouse, projectId);
});

const answer = (page: Page) => page.getByRole("article", { name: `Answer of ${model}` }).last();

async function begin(page: Page): Promise<void> {
  await page.goto(`/playground?model=${model}`);
  await expect(page.getByLabel("Model", { exact: true })).toHaveValue(model);
}

async function stream(page: Page, text: string): Promise<void> {
  await sendMessage(page, text);
  await expect(answer(page)).toContainText("word3 ");
}

test("Enter sends once, however quickly it is pressed, and not within a composition", async ({
  page,
  gatehouse,
}) => {
  await signIn(page, gatehouse);
  await begin(page);
  const before = provider.calls.length;
  await messageBox(page).fill("にほん");
  await messageBox(page).dispatchEvent("keydown", { key: "Enter", isComposing: true, bubbles: true });
  await messageBox(page).dispatchEvent("keydown", { key: "Enter", keyCode: 229, bubbles: true });
  await expect(messageBox(page)).toHaveValue("にほん");
  await messageBox(page).evaluate((box) => {
    const press = () => new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true });
    for (let count = 0; count < 5; count++) box.dispatchEvent(press());
  });
  await expect(answer(page)).toContainText("word3 ");
  await expect(page.getByRole("article")).toHaveCount(1);
  expect(provider.calls.length - before).toBe(1);
  await page.keyboard.press("Escape");
});

test("a text of megabytes is not pasted, and what is written stays; a folder and a forged name are told", async ({
  page,
  gatehouse,
}) => {
  await signIn(page, gatehouse);
  await begin(page);
  await messageBox(page).fill("written before");
  const paste = (length: number) =>
    messageBox(page).evaluate((box, size) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", "x".repeat(size));
      box.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    }, length);
  await paste(100_000_000);
  await expect(page.getByText("The text was not pasted").last()).toBeVisible();
  await expect(messageBox(page)).toHaveValue("written before");
  const files = page.getByLabel("Files", { exact: true });
  await files.first().setInputFiles([
    { name: "photo\u202Egnp.txt", mimeType: "text/plain", buffer: Buffer.from("words") },
    { name: "photognp.txt", mimeType: "text/plain", buffer: Buffer.from("words") },
    {
      name: '<img src=x onerror="alert(1)">.exe',
      mimeType: "application/x-msdownload",
      buffer: Buffer.from("MZ"),
    },
  ]);
  await expect(page.getByRole("list", { name: "Files" }).getByRole("listitem")).toContainText([
    "photognp.txt",
    "photognp.txt",
  ]);
  await expect(page.getByText('<img src=x onerror="alert(1)">.exe is not an image').last()).toBeVisible();
  await page.getByRole("button", { name: "Remove photognp.txt" }).first().click();
  await expect(page.getByRole("list", { name: "Files" }).getByRole("listitem")).toHaveCount(1);
  await expectNoAxeViolations(page);
});

test("parameters that would send another call than the one shown are refused at their field", async ({
  page,
  gatehouse,
}) => {
  await signIn(page, gatehouse);
  await begin(page);
  const before = provider.calls.length;
  await page.getByText("More settings").click();
  await page.getByLabel("Further parameters").fill('{"model": "sandbox-echo", "stream": false}');
  await sendMessage(page, "to another model");
  await expect(page.getByText("Remove model, stream: the playground sets it.").first()).toBeVisible();
  await expect(messageBox(page)).toHaveValue("to another model");
  expect(provider.calls).toHaveLength(before);
});

test("a model that a project loses while it answers breaks its answer off with the reason and its cost; the next message is refused and kept", async ({
  page,
  gatehouse,
}) => {
  await signIn(page, gatehouse);
  await begin(page);
  await stream(page, "Count");
  const denied = { mode: "deny_list", model_ids: [model] };
  await adminApi(gatehouse).call("POST", `/projects/${projectId}/model_permissions`, denied);
  await expect(answer(page)).toContainText("The answer broke off");
  await expect(answer(page)).toContainText("word1 ");
  await expect(answer(page)).toContainText(`This project may not call "${model}"`);
  await expect(receiptCosts(page)).toBeVisible();
  await sendMessage(page, "Again");
  await expect(answer(page)).toContainText("The project may not call this model");
  await expect(answer(page)).toContainText(model);
  await expect(messageBox(page)).toHaveValue("Again");
  await expectNoAxeViolations(page);
});

test("a reload and a step back while an answer streams keep what came, with its cost", async ({
  page,
  gatehouse,
}) => {
  await signIn(page, gatehouse);
  await begin(page);
  await stream(page, "Count");
  const call = provider.calls.at(-1);
  await page.reload();
  await expect.poll(() => call?.isAborted).toBe(true);
  await expect(answer(page)).toContainText("word3 ");
  await expect(answer(page).getByText("Stopped")).toBeVisible();
  await expect(receiptCosts(page)).toBeVisible();
  await page.getByRole("link", { name: "Keys", exact: true }).first().click();
  await page.waitForURL("**/keys");
  await page.goBack();
  await stream(page, "Count again");
  await page.goBack();
  await page.goForward();
  await expect(answer(page)).toContainText("word3 ");
  await expect(page.getByRole("article")).toHaveCount(2);
  await expect(answer(page).getByText("Stopped")).toBeVisible();
});

test("a key that is revoked, and a member who loses the project, while an answer streams are told so", async ({
  page,
  gatehouse,
  context,
}) => {
  const api = adminApi(gatehouse);
  const keys = `/projects/${projectId}/api_keys`;
  const { id } = await api.call<{ id: string }>("POST", keys, { name: "soon-revoked" });
  await signIn(page, gatehouse);
  await begin(page);
  await page.getByLabel("Run as", { exact: true }).selectOption("soon-revoked");
  await stream(page, "Count");
  await api.call("DELETE", `${keys}/${id}`);
  await expect(page.getByRole("button", { name: /^Stop/ })).toHaveCount(0);
  await expect(answer(page)).toContainText("word3 ");
  await sendMessage(page, "Again");
  await expect(answer(page)).toContainText(/refused/i);
  await expect(messageBox(page)).toHaveValue("Again");
  await expectNoAxeViolations(page);

  const tess = { email: "tess-attacks@example.com", name: "Tess", role: "prompt_tester" };
  const session = await openAsMember(context, gatehouse, tess);
  await begin(page);
  await stream(page, "Count");
  const { data } = await api.call<{ data: { id: string; email: string }[] }>("GET", "/users?limit=100");
  const user = data.find(({ email }) => email === tess.email);
  expect(session.token).not.toBe("");
  await api.call("DELETE", `/users/${user?.id}`);
  await page.waitForURL(/\/sign-in/);
});
