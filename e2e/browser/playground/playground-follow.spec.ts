import type { Page } from "@playwright/test";
import { expect, test } from "../../support/fixtures/test";
import { createSelectedProject } from "../../support/pages/select-project";
import { signIn } from "../../support/pages/sign-in";

test.beforeEach(async ({ page, context, gatehouse }, { title }) => {
  await createSelectedProject(context, gatehouse, title);
  await signIn(page, gatehouse);
});

const messageBox = (page: Page) => page.getByRole("textbox", { name: "Message", exact: true });
const jump = (page: Page) => page.getByRole("button", { name: "Jump to latest" });

async function send(page: Page, model: string, text: string): Promise<() => Promise<boolean>> {
  await page.goto(`/playground?model=${model}`);
  await messageBox(page).fill(text);
  await messageBox(page).press("Enter");
  const box = page.getByRole("group", { name: `Conversation with ${model}` });
  return () => box.evaluate((one) => one.scrollTop + one.clientHeight >= one.scrollHeight - 4);
}

test("a reader who scrolls up is left there, and can jump back", async ({ page }) => {
  const isAtEnd = await send(page, "sandbox-slow", "many words\n\n".repeat(60));
  await expect(page.getByRole("article")).toContainText("many words");
  await expect.poll(isAtEnd).toBe(true);
  await page.mouse.move(700, 400);
  await page.mouse.wheel(0, -400);
  await jump(page).click();
  await expect(jump(page)).toBeHidden();
  await expect.poll(isAtEnd).toBe(true);
  await page.getByRole("button", { name: "Stop" }).click();
});

test("a message field that grows and shrinks leaves the conversation at its end", async ({ page }) => {
  const isAtEnd = await send(page, "sandbox-echo", "many words\n\n".repeat(60));
  await expect(page.getByRole("link", { name: "Receipt", exact: true })).toBeVisible();
  await expect.poll(isAtEnd).toBe(true);
  await messageBox(page).fill("a line\n".repeat(12));
  await expect.poll(isAtEnd).toBe(true);
  await messageBox(page).fill("");
  await expect.poll(isAtEnd).toBe(true);
  await expect(jump(page)).toBeHidden();
});
