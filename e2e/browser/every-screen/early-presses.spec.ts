import type { Page } from "@playwright/test";
import { adminApi } from "../../support/clients/admin-api";
import { expect, test } from "../../support/fixtures/test";
import { expectHydrated } from "../../support/pages/expect-hydrated";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { holdScripts } from "../../support/pages/hold-scripts";
import { messageBox, sendMessage } from "../../support/pages/message-box";
import { createSelectedProject } from "../../support/pages/select-project";
import { signIn } from "../../support/pages/sign-in";

/** Scripts load within this time on a busy machine. A press waits longer. */
const LOADED_MS = 15_000;

test.beforeEach(async ({ page, context, gatehouse }, { title }) => {
  await createSelectedProject(context, gatehouse, title);
  await signIn(page, gatehouse);
});

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

test("a button that is pressed before the page's script has loaded says so, and acts once afterwards", async ({
  page,
}) => {
  const release = await holdScripts(page);
  await page.goto("/projects", { waitUntil: "commit" });
  await button(page, "Create project").click();
  await button(page, "Create project").click();
  await expect(button(page, "Create project")).toHaveAttribute("aria-busy", "true");
  await release();
  await expect(page.getByRole("dialog", { name: "Create project" })).toBeVisible({ timeout: LOADED_MS });
  await expect(page.getByRole("dialog")).toHaveCount(1);
  await page.keyboard.press("Escape");
  await expect(button(page, "Create project")).not.toHaveAttribute("aria-busy");
  await expectNoAxeViolations(page);
});

for (const [name, goOn] of [
  ["another button", (page: Page) => page.getByRole("button", { name: /^Signed in as/ }).click()],
  ["a key", (page: Page) => page.keyboard.press("Escape")],
] as const) {
  test(`a press before the page's script has loaded is forgotten for ${name}`, async ({ page }) => {
    const release = await holdScripts(page);
    await page.goto("/projects", { waitUntil: "commit" });
    await button(page, "Create project").click();
    await goOn(page);
    await expect(button(page, "Create project")).not.toHaveAttribute("aria-busy");
    await release();
    await expectHydrated(page);
    await expect(page.getByRole("dialog")).toHaveCount(0);
  });
}

test("a form that is sent before the page's script has loaded is sent once, with what was typed", async ({
  page,
  gatehouse,
}) => {
  const { call } = adminApi(gatehouse);
  const { id } = await call<{ id: string }>("POST", "/roles", {
    role_name: "Copied reader",
    permissions: ["api.roles.read"],
  });
  const release = await holdScripts(page);
  await page.goto(`/roles/new?copy=${id}`, { waitUntil: "commit" });
  await page.getByLabel("Name", { exact: true }).fill("Early reader");
  await button(page, "Create role").click();
  await expect(button(page, "Create role")).toHaveAttribute("aria-busy", "true");
  await expect(page).toHaveURL(`/roles/new?copy=${id}`);
  await release();
  await expect(page).toHaveURL(/\/roles\/(?!new)/, { timeout: LOADED_MS });
  const { data } = await call<{ data: { name: string }[] }>("GET", "/roles");
  expect(data.filter(({ name }) => name === "Early reader")).toHaveLength(1);
});

test("Enter in the message box before the page's script has loaded sends the message once", async ({
  page,
}) => {
  const release = await holdScripts(page);
  await page.goto("/playground?model=sandbox-echo", { waitUntil: "commit" });
  await messageBox(page).fill("An early question");
  await messageBox(page).press("Enter");
  await messageBox(page).press("Enter");
  await expect(messageBox(page)).toHaveAttribute("aria-busy", "true");
  await expect(messageBox(page)).toHaveValue("An early question");
  await release();
  await expect(page.getByRole("article").last()).toContainText("An early question", { timeout: LOADED_MS });
  await expect(messageBox(page)).toHaveValue("");
  await expect(page.getByRole("article")).toHaveCount(1);
  await expect(messageBox(page)).not.toHaveAttribute("aria-busy");
});

/** Presses Enter once, in the task in which React takes over the message box. The browser delivers it after that. */
async function pressAtTakeover(page: Page): Promise<void> {
  await page.route("/taken-over", async (route) => {
    // The page can't answer the press before this request is answered.
    void page.keyboard.press("Enter");
    const session = await page.context().newCDPSession(page);
    await session.send("Browser.getVersion");
    await route.fulfill({ body: "" });
  });
  await page.addInitScript(() => {
    const { prototype } = HTMLTextAreaElement;
    const property = Object.getOwnPropertyDescriptor(prototype, "defaultValue") ?? {};
    Object.defineProperty(prototype, "defaultValue", {
      ...property,
      // Read by `useEarlyEntry` in a layout effect.
      get() {
        Object.defineProperty(prototype, "defaultValue", property);
        const request = new XMLHttpRequest();
        request.open("GET", "/taken-over", false);
        request.send();
        return property.get?.call(this);
      },
    });
  });
}

test("Enter at the moment at which the page takes over the message box sends the message once", async ({
  page,
}) => {
  await pressAtTakeover(page);
  const release = await holdScripts(page);
  await page.goto("/playground?model=sandbox-echo", { waitUntil: "commit" });
  await messageBox(page).fill("An early question");
  await release();
  await expect(page.getByRole("article").last()).toContainText("An early question", { timeout: LOADED_MS });
  await expect(messageBox(page)).toHaveValue("");
  await expect(page.getByRole("article")).toHaveCount(1);
});

async function saveConversation(page: Page): Promise<void> {
  await page.goto("/playground?model=sandbox-echo");
  await sendMessage(page, "The first question");
  await expect(page.getByRole("article")).toHaveCount(1);
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();
}

test("Enter before the page's script has loaded sends nothing to a conversation that was not visible then", async ({
  page,
}) => {
  await saveConversation(page);
  const release = await holdScripts(page);
  await page.reload({ waitUntil: "commit" });
  await messageBox(page).fill("An early question");
  await messageBox(page).press("Enter");
  await release();
  await expect(page.getByRole("article")).toHaveCount(1, { timeout: LOADED_MS });
  await expect(messageBox(page)).toHaveValue("An early question");
  await expect(messageBox(page)).not.toHaveAttribute("aria-busy");
  await expect(page.getByRole("article")).toHaveCount(1);
});

test("what is typed after Enter before the page's script has loaded is not sent", async ({ page }) => {
  const release = await holdScripts(page);
  await page.goto("/playground?model=sandbox-echo", { waitUntil: "commit" });
  await messageBox(page).fill("An early question");
  await messageBox(page).press("Enter");
  await messageBox(page).pressSequentially(", and more");
  await release();
  await expectHydrated(page);
  await expect(messageBox(page)).toHaveValue("An early question, and more");
  await expect(page.getByRole("article")).toHaveCount(0);
});

test("what is typed while the tab's conversation is saved is sent to none, and stays in the one that the address begins", async ({
  page,
}) => {
  await saveConversation(page);
  let release = () => {};
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/playground*", async (route) => {
    if (route.request().method() === "POST") await isReleased;
    // The saves of a page that was left are gone by then.
    await route.continue().catch(() => {});
  });
  await messageBox(page).fill("Half a thought");
  await expect.poll(() => page.evaluate(() => JSON.stringify(sessionStorage))).toContain("Half a thought");
  await page.goto("/playground?model=sandbox-echo&temperature=0.5");
  await expect(messageBox(page)).toHaveValue("Half a thought");
  await sendMessage(page, "A new question");
  await expect(page.getByRole("article")).toHaveCount(1);
  release();
  await expect(page).toHaveURL(/\/playground$/);
  await expect(page.getByRole("article")).toHaveCount(0);
  await expect(messageBox(page)).toHaveValue("A new question");
});

test("what is typed before the page's script has loaded is kept beside what the tab had stored", async ({
  page,
}) => {
  await saveConversation(page);
  await messageBox(page).fill("Half a thought");
  await expect.poll(() => page.evaluate(() => JSON.stringify(sessionStorage))).toContain("Half a thought");
  const release = await holdScripts(page);
  await page.reload({ waitUntil: "commit" });
  await messageBox(page).fill("and an early end");
  await page.getByLabel("System", { exact: true }).fill("Be brief.");
  await release();
  await expect(page.getByRole("article")).toHaveCount(1, { timeout: LOADED_MS });
  await expect(messageBox(page)).toHaveValue("Half a thought\nand an early end");
  await expect(page.getByLabel("System", { exact: true })).toHaveValue("Be brief.");
  await expectHydrated(page);
  await expect(messageBox(page)).toHaveValue("Half a thought\nand an early end");
});
