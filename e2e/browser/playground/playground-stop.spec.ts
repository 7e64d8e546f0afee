import type { Page } from "@playwright/test";
import { expect, test } from "../../support/fixtures/test";
import { messageBox, sendMessage } from "../../support/pages/message-box";
import { createSelectedProject } from "../../support/pages/select-project";
import { signIn } from "../../support/pages/sign-in";

test.beforeEach(async ({ page, context, gatehouse }, { title }) => {
  await createSelectedProject(context, gatehouse, title);
  await signIn(page, gatehouse);
  await page.goto("/playground?model=sandbox-slow");
  await expect(page.getByLabel("Model", { exact: true })).toHaveValue("sandbox-slow");
  await sendMessage(page, "many words\n\n".repeat(60));
  await expect(page.getByRole("article")).toContainText("many words");
  await messageBox(page).fill("half a thou");
});

const stop = (page: Page) => page.getByRole("button", { name: /^Stop( Esc)?$/ });
const sendButton = (page: Page) => page.getByRole("button", { name: "Send", exact: true });

async function expectDraftKept(page: Page): Promise<void> {
  await expect(page.getByRole("article").getByText("Stopped")).toBeVisible();
  await expect(stop(page)).toHaveCount(0);
  await expect(messageBox(page)).toHaveValue("half a thou");
  await expect(messageBox(page)).toBeFocused();
  await expect(page.getByRole("article")).toHaveCount(1);
}

test("Stop is pressed twice with the mouse: the half-written message stays", async ({ page }) => {
  const place = await stop(page).boundingBox();
  const before = await sendButton(page).boundingBox();
  await stop(page).dblclick();
  await expectDraftKept(page);
  // Send is in the same place, which is where Stop was.
  const after = await sendButton(page).boundingBox();
  expect(after).toEqual(before);
  expect((place?.x ?? 0) + (place?.width ?? 0)).toBeLessThanOrEqual(after?.x ?? 0);
});

for (const key of ["Enter", "Space"]) {
  test(`Stop is pressed with ${key}, twice and held: the half-written message stays`, async ({ page }) => {
    await stop(page).focus();
    await page.keyboard.down(key);
    await page.keyboard.down(key);
    await page.keyboard.up(key);
    if (key === "Enter") await page.keyboard.press(key);
    await expectDraftKept(page);
  });
}

test("Enter while an answer comes neither sends nor loses the next message", async ({ page }) => {
  await messageBox(page).focus();
  await page.keyboard.press("Enter");
  await expect(messageBox(page)).toHaveValue("half a thou");
  await expect(sendButton(page)).toBeDisabled();
  await expect(page.getByRole("article")).toHaveCount(1);
  // Escape closes the palette or a menu without stopping the run.
  await page.keyboard.press("ControlOrMeta+K");
  await expect(page.getByRole("combobox", { name: "Screen, project or command" })).toBeFocused();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Theme" }).click();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("menu")).toHaveCount(0);
  await expect(stop(page)).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("article").getByText("Stopped")).toBeVisible();
  await expect(messageBox(page)).toHaveValue("half a thou");
});
