import type { Page } from "@playwright/test";
import { adminApi } from "../../support/clients/admin-api";
import { expect, test } from "../../support/fixtures/test";
import { everyForm, fillForm, locateField, openForm } from "../../support/forms/every-form";
import type { ScreenForm } from "../../support/forms/screen-form";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { sendMessage } from "../../support/pages/message-box";
import { openAsMember } from "../../support/pages/open-as-member";
import { readStored } from "../../support/pages/read-drafts";
import { createSelectedProject } from "../../support/pages/select-project";
import { signIn } from "../../support/pages/sign-in";

test.beforeEach(async ({ page, context, gatehouse }, { title }) => {
  await createSelectedProject(context, gatehouse, title);
  await signIn(page, gatehouse);
});

const findForm = (name: string) => everyForm[name] as ScreenForm;
const restored = (page: Page) => page.locator("li", { hasText: "Your unsaved input was restored." });

async function endSession(page: Page): Promise<void> {
  await page.context().clearCookies({ name: /gatehouse_session/ });
}

test("a session that ends loses nothing: one signs in, is where one was, and saves", async ({
  page,
  gatehouse,
}) => {
  const limits = findForm("limits");
  await openForm(page, limits, gatehouse);
  await fillForm(page, limits);
  await page.getByLabel("Requests per day", { exact: true }).fill("9,000");
  await endSession(page);
  // The browser doesn't ask either, since nothing is lost.
  const questions: string[] = [];
  page.on("dialog", (dialog) => {
    questions.push(dialog.type());
    void dialog.accept();
  });
  await page.keyboard.press("Enter");
  await expect(page.getByText("Your session has ended", { exact: true })).toBeVisible();
  expect(questions).toEqual([]);
  await page.getByRole("textbox", { name: "Admin key" }).fill(gatehouse.adminKey);
  await page.keyboard.press("Enter");

  await page.waitForURL("**/limits/sandbox-echo");
  await expect(restored(page)).toBeVisible();
  await expect(locateField(page, limits)).toHaveValue("555");
  await expect(page.getByLabel("Requests per day", { exact: true })).toHaveValue("9,000");
  await page.getByRole("button", { name: "Save 2 changes" }).click();
  await expect(page.getByText("Saved 2 changes")).toBeVisible();
  expect(await readStored(page)).not.toContain("gatehouse:draft");
});

test("a draft of an older console fills in the fields that the form still has", async ({
  page,
  gatehouse,
}) => {
  const role = findForm("role");
  await openForm(page, role, gatehouse);
  await fillForm(page, role);
  await expect.poll(() => readStored(page)).toContain(role.input);
  await page.evaluate(() => {
    for (const [key, text] of Object.entries(sessionStorage)) {
      if (!key.startsWith("gatehouse:draft:")) continue;
      const draft = JSON.parse(text);
      draft.values = { ...draft.values, gone: "Removed", permissions: "api.roles.read" };
      sessionStorage.setItem(key, JSON.stringify(draft));
    }
  });
  await page.reload();
  await expect(locateField(page, role)).toHaveValue(role.input);
  await page.getByRole("button", { name: "Save 1 change" }).click();
  await expect(page.getByText("Saved 1 change")).toBeVisible();
});

test("what was saved just before the page was left is not restored as unsaved, nor for somebody else", async ({
  page,
  gatehouse,
}) => {
  const limits = findForm("limits");
  await openForm(page, limits, gatehouse);
  await fillForm(page, limits);
  page.on("dialog", (dialog) => void dialog.accept());
  let isSaved = false;
  await page.route("**", async (route) => {
    if (route.request().method() !== "POST") return route.fallback();
    await route.fetch();
    isSaved = true;
  });
  await page.keyboard.press("Enter");
  await expect.poll(() => isSaved).toBe(true);
  await page.goto("/balance");
  await page.unrouteAll();

  await openForm(page, limits, gatehouse);
  await expect(locateField(page, limits)).toHaveValue("555");
  await expect.poll(() => readStored(page)).not.toContain("gatehouse:draft");
  await expect(restored(page)).toHaveCount(0);
  await page.getByLabel("Requests per day", { exact: true }).fill("9,000");
  await page.getByRole("button", { name: "Save 1 change" }).click();
  await expect(page.getByText("Saved 1 change")).toBeVisible();
});

test("what is said while a dialog is open can be pressed, lies above it and is announced inside it", async ({
  page,
  gatehouse,
}) => {
  const form = findForm("new project");
  await openForm(page, form, gatehouse);
  await fillForm(page, form);
  await expect.poll(() => readStored(page)).toContain(form.input);
  await page.reload();
  const dialog = page.getByRole("dialog", { name: "Create project" });
  await expect(locateField(page, form)).toHaveValue(form.input);
  await expect(dialog.locator("[aria-live=polite]")).toHaveText("Your unsaved input was restored.");
  await expectNoAxeViolations(page);

  // A question above the dialog takes the message along, and gives it back.
  await page.keyboard.press("Escape");
  const question = page.getByRole("dialog", { name: /^Discard/ });
  await expect(question.getByRole("region", { name: "Notifications" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(question).toBeHidden();

  await dialog
    .getByRole("region", { name: "Notifications" })
    .getByRole("button", { name: "Discard" })
    .click();
  await expect(locateField(page, form)).toHaveValue("");
  await expect(dialog).toBeVisible();
  await expect(restored(page)).toHaveCount(0);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

test("the playground keeps the half-written message and its settings", async ({ page }) => {
  await page.goto("/playground");
  await page.getByLabel("System", { exact: true }).fill("Be brief.");
  await page.getByRole("textbox", { name: "Message", exact: true }).fill("half a thou");
  await page.reload();
  await expect(page.getByRole("textbox", { name: "Message", exact: true })).toHaveValue("half a thou");
  await expect(page.getByLabel("System", { exact: true })).toHaveValue("Be brief.");
});

test("signing out in one tab forgets the drafts of the others and takes them to the sign-in screen", async ({
  page,
  context,
  gatehouse,
}) => {
  const role = findForm("new role");
  await openForm(page, role, gatehouse);
  await fillForm(page, role);
  await expect.poll(() => readStored(page)).toContain(role.input);
  const other = await context.newPage();
  await other.goto("/projects");
  await other.getByRole("button", { name: /^Signed in as/ }).click();
  await other.getByRole("menuitem", { name: "Sign out" }).click();
  await other.waitForURL("**/sign-in");
  await page.waitForURL("**/sign-in?**");
  expect(await readStored(page)).not.toContain("gatehouse:draft");
  await signIn(other, gatehouse);
  await openForm(page, role, gatehouse);
  await expect(locateField(page, role)).toHaveValue("");
});

test("a tab goes on as the person whom another tab has signed in", async ({ page, context, gatehouse }) => {
  await page.goto("/members");
  const first = page.getByRole("button", { name: /^Signed in as/ });
  await expect(first).not.toHaveAccessibleName("Signed in as Ada Next");
  await openAsMember(context, gatehouse, { email: "ada.next@example.com", name: "Ada Next", role: "reader" });
  const other = await context.newPage();
  await other.goto("/");
  await expect(page.getByRole("button", { name: "Signed in as Ada Next" })).toBeVisible();
});

test("a sign-out without a connection says so, and what was typed is kept", async ({ page, gatehouse }) => {
  await adminApi(gatehouse).createProject("Elsewhere");
  const role = findForm("new role");
  await openForm(page, role, gatehouse);
  await fillForm(page, role);
  await expect.poll(() => readStored(page)).toContain(role.input);
  await page.goto("/files");
  await page.route("**/files", (route) =>
    route.request().method() === "POST" ? route.abort() : route.continue(),
  );
  await page.getByRole("button", { name: /^Signed in as/ }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(page.getByText("You may still be signed in.")).toBeVisible();
  expect(await readStored(page)).toContain(role.input);
  await expect(page.getByRole("heading", { level: 1, name: "Files" })).toBeVisible();
});

test("nothing of an answer that was streaming at the sign-out stays in the browser", async ({ page }) => {
  await page.goto("/playground?model=sandbox-slow");
  await sendMessage(page, "For my eyes alone");
  await expect(page.getByRole("button", { name: /^Stop/ })).toBeVisible();
  await page.getByRole("button", { name: /^Signed in as/ }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.waitForURL("**/sign-in");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  expect(await readStored(page)).not.toContain("For my eyes alone");
});
