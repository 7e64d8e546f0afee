import type { Page } from "@playwright/test";
import { adminApi } from "../../support/clients/admin-api";
import { expect, test } from "../../support/fixtures/test";
import { expectAccessible } from "../../support/pages/expect-accessible";
import { sendMessage } from "../../support/pages/message-box";
import { receiptCosts } from "../../support/pages/receipts";
import { createSelectedProject } from "../../support/pages/select-project";
import { signIn } from "../../support/pages/sign-in";
import { startWordProvider, type WordProvider } from "../../support/servers/word-provider";

test.use({ scene: "playground-going-on" });

const WORDS = 120;
let provider: WordProvider;

test.beforeAll(async ({ gatehouse }) => {
  provider = await startWordProvider(WORDS);
  const api = adminApi(gatehouse);
  await api.createProvider("words", provider.baseUrl);
  const price = { input_per_1m: "1", output_per_1m: "1" };
  const routes = [{ provider: "words", model: "words" }];
  await api.createModel({ id: "words", family: "chat", rate: "1", price, routes });
});
test.afterAll(() => provider.stop());

test.beforeEach(async ({ page, context, gatehouse }, { title }) => {
  await createSelectedProject(context, gatehouse, title);
  await signIn(page, gatehouse);
  await page.goto("/playground?model=words");
  await expect(page.getByLabel("Model", { exact: true })).toHaveValue("words");
});

const answer = (page: Page) => page.getByRole("article", { name: "Answer of words" });

async function send(page: Page, text: string, { keepsRunning }: { keepsRunning: boolean }): Promise<void> {
  await page.getByLabel("Keep running if I leave").setChecked(keepsRunning);
  await sendMessage(page, text);
  await expect(answer(page)).toContainText("word3 ");
}

test("an answer goes on while its page is left, and is there on coming back, with its cost and receipt", async ({
  page,
}) => {
  await send(page, "Go on without me", { keepsRunning: true });
  await page.getByRole("link", { name: "Overview" }).click();
  await expect(page.getByRole("heading", { level: 1 })).not.toHaveText("Playground");
  await page.getByRole("link", { name: "Playground" }).click();
  await expect(answer(page)).toContainText("word1 ");
  await expect(answer(page)).toContainText(`word${WORDS}`);
  await expect(page.getByText("Tokens out")).toBeVisible();
  await expect(receiptCosts(page)).toBeVisible();
  await expect(page.getByRole("link", { name: "Receipt" })).toBeVisible();
  expect(provider.calls.at(-1)?.isAborted).toBe(false);
  await expectAccessible(page);
});

test("another session sees it stream, and stops it at the provider", async ({
  page,
  browser,
  gatehouse,
  context,
}) => {
  await send(page, "Watched elsewhere", { keepsRunning: true });
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();
  await page.close();
  const call = provider.calls.at(-1);
  const other = await (await browser.newContext()).newPage();
  await other.context().addCookies(await context.cookies());
  await other.goto(`${gatehouse.consoleUrl}/playground`);
  await expect(answer(other)).toContainText("word4 ");
  await other.getByRole("button", { name: /^Stop/ }).click();
  await expect(answer(other).getByText("Stopped")).toBeVisible();
  await expect.poll(() => call?.isAborted).toBe(true);
  await expect(answer(other)).not.toContainText(`word${WORDS}`);
  await other.context().close();
});

test("a call without the option to go on stops with its page, and the received part is kept with its cost", async ({
  page,
}) => {
  await send(page, "Stop with me", { keepsRunning: false });
  const call = provider.calls.at(-1);
  await page.getByRole("link", { name: "Overview" }).click();
  await expect.poll(() => call?.isAborted).toBe(true);
  await page.getByRole("link", { name: "Playground" }).click();
  await expect(answer(page).getByText("Stopped")).toBeVisible();
  await expect(answer(page)).toContainText("word3 ");
  await expect(receiptCosts(page)).toBeVisible();
});

test("signing out stops such a call, too, and keeps the received part in its conversation", async ({
  page,
  gatehouse,
}) => {
  await send(page, "Stop as I leave", { keepsRunning: false });
  const call = provider.calls.at(-1);
  await page.getByRole("button", { name: /^Signed in as/ }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.waitForURL("**/sign-in");
  await expect.poll(() => call?.isAborted).toBe(true);
  await expect(page.getByText("The call was not stopped")).toHaveCount(0);
  await signIn(page, gatehouse);
  await page.goto("/playground");
  await expect(answer(page).getByText("Stopped")).toBeVisible();
  await expect(answer(page)).toContainText("word3 ");
});
