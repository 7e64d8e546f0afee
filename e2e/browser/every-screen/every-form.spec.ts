import type { Page } from "@playwright/test";
import { expect, test } from "../../support/fixtures/test";
import {
  dialogForms,
  everyForm,
  fillForm,
  locateField,
  openForm,
  openFormDialog,
  pageForms,
} from "../../support/forms/every-form";
import type { ScreenForm } from "../../support/forms/screen-form";
import { expectAccessibleOnPhone } from "../../support/pages/expect-accessible";
import { expectHydrated } from "../../support/pages/expect-hydrated";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { holdPosts } from "../../support/pages/hold-posts";
import { holdScripts } from "../../support/pages/hold-scripts";
import { readDrafts, readStored } from "../../support/pages/read-drafts";
import { createSelectedProject } from "../../support/pages/select-project";
import { signIn } from "../../support/pages/sign-in";

// One walk a form, since to make its object and to open it takes longer than what is checked there.
test.describe.configure({ timeout: 120_000 });

let projectId: string;

test.beforeEach(async ({ page, context, gatehouse }, { title }) => {
  projectId = await createSelectedProject(context, gatehouse, title);
  await signIn(page, gatehouse);
});

const question = (page: Page, name: RegExp = /^Discard /) => page.getByRole("dialog", { name });

async function chooseBalanceInPalette(page: Page): Promise<void> {
  await page.keyboard.press("ControlOrMeta+K");
  await expect(page.getByRole("combobox", { name: "Screen, project or command" })).toBeFocused();
  await page.keyboard.type("Balance");
  await page.keyboard.press("Enter");
}

/** A user who keeps editing finds everything unchanged. */
async function keepEditing(page: Page): Promise<void> {
  await question(page).getByRole("button", { name: "Keep editing" }).click();
  await expect(question(page)).toBeHidden();
}

/** The form is filled in: what was typed is stored for this tab as a draft, without secrets, and is restored. */
async function expectRestored(page: Page, form: ScreenForm): Promise<void> {
  await expect.poll(() => readDrafts(page)).toContain(form.input);
  const stored = await readStored(page);
  for (const secret of Object.values(form.secrets ?? {})) expect(stored).not.toContain(secret);
  await page.reload();
  await expect(locateField(page, form)).toHaveValue(form.input);
  await expect(page.locator("li", { hasText: "Your unsaved input was restored." })).toBeVisible();
  for (const label of Object.keys(form.secrets ?? {}))
    await expect(page.getByLabel(label, { exact: true })).toHaveValue("");
}

for (const [name, form] of pageForms) {
  test(`${name}: is sent by nothing but its button, and loses nothing to the palette or a loaded page`, async ({
    page,
    gatehouse,
  }) => {
    const path = (await form.createPage?.(gatehouse, projectId)) ?? form.path;
    const sent: string[] = [];
    page.on("request", (request) => {
      if (request.isNavigationRequest()) sent.push(request.url());
      if (request.method() === "POST" && request.headers()["next-action"])
        sent.push(request.postData() ?? "");
    });
    await test.step("before its script has loaded", async () => {
      const release = await holdScripts(page);
      await page.goto(path, { waitUntil: "commit" });
      await locateField(page, form).waitFor();
      const requestForm = (field: Element) => (field as HTMLInputElement).form?.requestSubmit();
      await locateField(page, form).evaluate(requestForm);
      await release();
      await expectHydrated(page);
      expect(sent).toHaveLength(1);
    });
    await fillForm(page, form);
    await test.step("Enter in the palette asks before the form is left", async () => {
      const address = page.url();
      await chooseBalanceInPalette(page);
      await expect(question(page, form.discardTitle)).toContainText(form.calledField ?? form.field);
      await keepEditing(page);
      await expect(locateField(page, form)).toHaveValue(form.input);
      await expect(locateField(page, form)).toBeFocused();
      expect(page.url()).toBe(address);
      // Besides the load, only the palette's requests to the gateway when the typing pauses.
      if (!form.previews) expect(sent.slice(1).filter((body) => !/^\["Ba\w*"\]$/.test(body))).toEqual([]);
    });
    await test.step("a loaded page", () => expectRestored(page, form));
    await chooseBalanceInPalette(page);
    await question(page).getByRole("button", { name: "Discard changes" }).click();
    await page.waitForURL("**/balance");
  });
}

const editForms = pageForms.filter(([, { discardTitle }]) => discardTitle.test("Discard 1 unsaved change?"));

for (const [name, form] of editForms) {
  test(`${name}: leaving while it is saved waits for the save, and asks nothing`, async ({
    page,
    gatehouse,
  }) => {
    await openForm(page, form, gatehouse);
    await fillForm(page, form);
    const release = await holdPosts(page, `**${new URL(page.url()).pathname}*`);
    const sent = page.waitForRequest((request) => request.method() === "POST");
    await page.getByRole("button", { name: /^Save 1 change/ }).click();
    await sent;
    await chooseBalanceInPalette(page);
    const waiting = page.getByRole("dialog", { name: "Saving your changes" });
    await expect(waiting).toContainText("You leave as soon as they are saved.");
    await expectNoAxeViolations(page);
    release();
    await page.waitForURL("**/balance");
    await expect(waiting).toBeHidden();
    await expect(question(page)).toBeHidden();
  });
}

for (const [name, form] of dialogForms) {
  test(`${name}: Escape, a click beside the dialog and a loaded page lose nothing, and a phone shows all of it`, async ({
    page,
    gatehouse,
  }) => {
    await openForm(page, form, gatehouse);
    const dialog = page.getByRole("dialog").filter({ has: locateField(page, form) });
    await expect(dialog).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();

    await openFormDialog(page, form);
    await fillForm(page, form);
    // Repeatedly, since a browser closes a dialog by itself at the second Escape.
    for (const _ of [1, 2]) {
      await page.keyboard.press("Escape");
      await expect(question(page, form.discardTitle)).toContainText(form.calledField ?? form.field);
      await page.keyboard.press("Escape");
      await expect(question(page)).toBeHidden();
      await expect(locateField(page, form)).toHaveValue(form.input);
    }
    await page.mouse.click(5, 5);
    await expect(question(page)).toBeVisible();
    await keepEditing(page);
    await test.step("a loaded page", () => expectRestored(page, form));
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await question(page).getByRole("button", { name: "Discard changes" }).click();
    await expect(dialog).toBeHidden();
    await openFormDialog(page, form);
    await expect(locateField(page, form)).toHaveValue(form.saved ?? "");
    await test.step("on a phone", () => expectAccessibleOnPhone(page));
  });
}

for (const name of ["new role", "new provider"]) {
  test(`${name}: what was typed stays while another screen is shown, and signing out forgets it`, async ({
    page,
    gatehouse,
  }) => {
    const form = everyForm[name] as ScreenForm;
    await openForm(page, form, gatehouse);
    await fillForm(page, form);
    await expect.poll(() => readDrafts(page)).toContain(form.input);
    await page.goto("/projects");
    expect(await readDrafts(page)).toContain(form.input);
    await page.getByRole("button", { name: /^Signed in as/ }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.waitForURL("**/sign-in");
    expect(await readDrafts(page)).toBe("");
  });
}
