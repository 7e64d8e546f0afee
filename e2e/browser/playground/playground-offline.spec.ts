import type { Page } from "@playwright/test";
import { adminApi } from "../../support/clients/admin-api";
import { expect, test } from "../../support/fixtures/test";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { expectNoSidewaysScroll } from "../../support/pages/expect-no-sideways-scroll";
import { sendMessage } from "../../support/pages/message-box";
import { receiptCosts } from "../../support/pages/receipts";
import { createSelectedProject } from "../../support/pages/select-project";
import { signIn } from "../../support/pages/sign-in";
import { DESK, PHONE } from "../../support/pages/viewports";
import { startBreakableConnection } from "../../support/servers/breakable-connection";
import { startWordProvider, type WordProvider } from "../../support/servers/word-provider";

test.use({ scene: "playground-offline" });

const ON_A_BUSY_MACHINE = { timeout: 15_000 };
const WORDS = 600;
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

const answer = (page: Page) => page.getByRole("article", { name: "Answer of words" });

test("an answer that breaks off because the browser goes offline keeps what came, and says its cost once online", async ({
  page,
  context,
  gatehouse,
}, { title }) => {
  await createSelectedProject(context, gatehouse, title);
  await signIn(page, gatehouse);
  const connection = await startBreakableConnection(gatehouse.consoleUrl);
  await page.goto(`${connection.url}/playground?model=words`);
  await expect(page.getByLabel("Model", { exact: true })).toHaveValue("words");
  await sendMessage(page, "Count");
  await expect(answer(page)).toContainText("word3 ", ON_A_BUSY_MACHINE);
  // Chromium keeps open streams when it is set offline.
  await context.setOffline(true);
  connection.cut();
  await expect(answer(page)).toContainText("The answer broke off", ON_A_BUSY_MACHINE);
  await expect(answer(page)).toContainText("Check your connection");
  await expect(answer(page)).toContainText("word3 ");
  await expectNoAxeViolations(page);
  await page.setViewportSize(PHONE);
  await expectNoSidewaysScroll(page);
  await page.setViewportSize(DESK);
  await expect.poll(() => provider.calls.at(-1)?.isAborted).toBe(true);

  connection.restore();
  await context.setOffline(false);
  await expect(receiptCosts(page)).toBeVisible(ON_A_BUSY_MACHINE);
  const cost = await receiptCosts(page).textContent();
  // A save that failed is repeated after ten seconds.
  await expect(page.getByText("Saved", { exact: true })).toBeVisible(ON_A_BUSY_MACHINE);
  await page.reload();
  await expect(answer(page)).toContainText("word3 ");
  await expect(receiptCosts(page)).toHaveText(cost ?? "");
  await answer(page).getByRole("button", { name: "Try again" }).click();
  await expect(answer(page).last()).toContainText("word5 ", ON_A_BUSY_MACHINE);
  await connection.stop();
});
