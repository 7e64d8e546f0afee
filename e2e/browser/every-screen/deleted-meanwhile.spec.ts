import type { Page } from "@playwright/test";
import { adminApi } from "../../support/clients/admin-api";
import { expect, test } from "../../support/fixtures/test";
import { everyForm, fillForm, locateField, openForm } from "../../support/forms/every-form";
import type { ScreenForm } from "../../support/forms/screen-form";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { expectNoSidewaysScroll } from "../../support/pages/expect-no-sideways-scroll";
import { messageBox } from "../../support/pages/message-box";
import { createSelectedProject } from "../../support/pages/select-project";
import { signIn } from "../../support/pages/sign-in";
import { PHONE } from "../../support/pages/viewports";
import type { Gatehouse } from "../../support/programs/start-gatehouse";

let projectId: string;

test.beforeEach(async ({ page, context, gatehouse }, { title }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  projectId = await createSelectedProject(context, gatehouse, title.slice(0, 60));
  await signIn(page, gatehouse);
});

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
const notice = (page: Page) => page.getByRole("alert").filter({ hasText: "Someone deleted this" });
const copied = (page: Page) => page.evaluate(() => navigator.clipboard.readText());
const roleForm = everyForm.role as ScreenForm;

/** Makes the page read again what it shows, as when the person returns to its tab. */
async function returnToTab(page: Page) {
  await page.clock.fastForward(60_000);
  await page.evaluate(() => window.dispatchEvent(new Event("visibilitychange")));
}

test("a role that is deleted while somebody edits it can be created anew from what they typed", async ({
  page,
  gatehouse,
}) => {
  await openForm(page, roleForm, gatehouse);
  await page.getByLabel("Name", { exact: true }).fill("Night auditors");
  await page.getByRole("checkbox", { name: "api.ledger.read" }).check();
  await adminApi(gatehouse).call("DELETE", new URL(page.url()).pathname);
  await page.getByRole("button", { name: "Save 2 changes" }).click();
  await expect(notice(page)).toContainText("What you typed stays here until you leave.");
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Night auditors");
  // What can only fail isn't offered, by a button or by Enter.
  await expect(page.getByRole("button", { name: /^(Save|Delete)/ })).toHaveCount(0);
  await expect(page.getByRole("link", { name: "Copy this role" })).toHaveCount(0);
  await page.getByLabel("Name", { exact: true }).press("Enter");
  await expect(notice(page)).toBeVisible();
  await expectNoAxeViolations(page);
  await page.setViewportSize(PHONE);
  await expectNoSidewaysScroll(page);
  await expectNoAxeViolations(page);
  await notice(page).getByRole("button", { name: "Copy what you typed" }).click();
  await expect(notice(page).getByRole("status")).toHaveText("Copied");
  expect(await copied(page)).toBe("Name: Night auditors\nPermissions: api.roles.read, api.ledger.read");

  await notice(page).getByRole("button", { name: "Create a new role from it" }).press("Enter");
  await expect(page).toHaveURL("/roles/new");
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Night auditors");
  await expect(page.getByRole("checkbox", { name: "api.ledger.read" })).toBeChecked();
  await page.getByRole("button", { name: "Create role" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Night auditors" })).toBeVisible();
});

test("what was typed about a role stays when the page notices by itself that the role is gone", async ({
  page,
  gatehouse,
}) => {
  await page.clock.install();
  await openForm(page, roleForm, gatehouse);
  await fillForm(page, roleForm);
  await adminApi(gatehouse).call("DELETE", new URL(page.url()).pathname);
  await returnToTab(page);
  await expect(notice(page)).toBeVisible();
  await expect(locateField(page, roleForm)).toHaveValue(roleForm.input);
  // Leaving asks, as ever, and then nothing of the role is left.
  await page.getByRole("link", { name: "Usage" }).click();
  await page.getByRole("button", { name: "Discard changes" }).click();
  await expect(page).toHaveURL("/usage");
  await page.goBack();
  await expect(page.getByText("There is no such role")).toBeVisible();
});

test("what was typed about a deleted role can be discarded, and the page then leads on", async ({
  page,
  gatehouse,
}) => {
  await openForm(page, roleForm, gatehouse);
  await fillForm(page, roleForm);
  await adminApi(gatehouse).call("DELETE", new URL(page.url()).pathname);
  await page.getByRole("button", { name: "Save 1 change" }).click();
  await expect(notice(page)).toBeVisible();
  await page.getByRole("button", { name: "Discard", exact: true }).click();
  await expect(page.getByRole("heading", { name: "There is no such role" })).toBeVisible();
  await page.getByRole("link", { name: "View all roles" }).click();
  await expect(page).toHaveURL("/roles");
});

test("a role that is deleted while nothing is typed is said to be gone at once", async ({
  page,
  gatehouse,
}) => {
  await page.clock.install();
  await openForm(page, roleForm, gatehouse);
  await adminApi(gatehouse).call("DELETE", new URL(page.url()).pathname);
  await returnToTab(page);
  await expect(page.getByText("There is no such role")).toBeVisible();
  await expect(notice(page)).toHaveCount(0);
});

type Deletion = (page: Page, gatehouse: Gatehouse) => Promise<unknown>;

/** How another person deletes the object of a form that edits one. */
const deletions: Readonly<Record<string, Deletion>> = {
  "key name": deleteKey,
  "key scope": deleteKey,
  "group name": (page, gatehouse) => adminApi(gatehouse).call("DELETE", new URL(page.url()).pathname),
  "prompt name": (_page, gatehouse) => deleteFirst(gatehouse, `/projects/${projectId}/prompts`),
  "service account": (page, gatehouse) =>
    deleteFirst(gatehouse, `/projects/${shownProject(page)}/service_accounts`),
  "spend alert": (page, gatehouse) => deleteFirst(gatehouse, `/projects/${shownProject(page)}/spend_alerts`),
};

/** What the page about a deleted object says while nothing is typed. */
const goneTitles: Readonly<Record<string, string>> = {
  "group name": "There is no such group",
  "prompt name": "There is no such prompt in this project",
};

for (const [name, remove] of Object.entries(deletions)) {
  test(`what was typed stays when its object is deleted: ${name}`, async ({ page, gatehouse }) => {
    const form = everyForm[name] as ScreenForm;
    await page.clock.install();
    await openForm(page, form, gatehouse);
    await fillForm(page, form);
    await remove(page, gatehouse);
    await returnToTab(page);
    const save = page.getByRole("dialog").locator("button[type=submit]");
    await save.click();
    await expect(notice(page)).toBeVisible();
    await expect(save).toHaveCount(0);
    await expect(locateField(page, form)).toHaveValue(form.input);
    await expectNoAxeViolations(page);
    await notice(page).getByRole("button", { name: "Copy what you typed" }).click();
    await expect(notice(page).getByRole("status")).toHaveText("Copied");
    expect(await copied(page)).toContain(form.input);
    await press(page, "Cancel");
    await press(page, "Discard changes");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    const goneTitle = goneTitles[name];
    if (goneTitle) await expect(page.getByRole("heading", { level: 1, name: goneTitle })).toBeVisible();
  });
}

for (const [name, title] of Object.entries(goneTitles)) {
  test(`a page says at once that its object is gone if nothing is typed: ${name}`, async ({
    page,
    gatehouse,
  }) => {
    await page.clock.install();
    await openForm(page, everyForm[name] as ScreenForm, gatehouse);
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await deletions[name]?.(page, gatehouse);
    await returnToTab(page);
    await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
  });
}

test("nothing can be done to a prompt that is deleted while its cases are edited", async ({
  page,
  gatehouse,
}) => {
  const form = everyForm["cases of a prompt"] as ScreenForm;
  await page.clock.install();
  await openForm(page, form, gatehouse);
  await fillForm(page, form);
  await expect(page.getByRole("button", { name: "Rename" })).toBeVisible();
  await deleteFirst(gatehouse, `/projects/${projectId}/prompts`);
  await returnToTab(page);
  await expect(notice(page)).toBeVisible();
  await expect(page.getByRole("button", { name: /^(Rename|Share|Delete|Save)$/ })).toHaveCount(0);
  await expectNoAxeViolations(page);
});

for (const which of ["the open conversation", "another conversation"]) {
  test(`the title that was typed stays when ${which} is deleted`, async ({ page, gatehouse }) => {
    await page.goto("/playground");
    await messageBox(page).fill("about limits");
    await expect(page.getByText("Saved", { exact: true })).toBeVisible({ timeout: 15_000 });
    if (which === "another conversation") await press(page, "New conversation");
    await press(page, "Conversations");
    await press(page, "Rename “about limits”");
    const title = page.getByRole("textbox", { name: "Title" });
    await title.fill("Limits");
    await deleteFirst(gatehouse, "/conversations");
    await press(page, "Save title");
    await expect(notice(page)).toBeVisible();
    await expect(page.getByRole("button", { name: "Save title" })).toHaveCount(0);
    await expect(title).toHaveValue("Limits");
    await expectNoAxeViolations(page);
  });
}

const shownProject = (page: Page) => new URL(page.url()).pathname.split("/")[2];

function deleteKey(_page: Page, gatehouse: Gatehouse) {
  return deleteFirst(gatehouse, `/projects/${projectId}/api_keys`);
}

async function deleteFirst(gatehouse: Gatehouse, path: string) {
  const { call } = adminApi(gatehouse);
  const { data } = await call<{ data: { id: string }[] }>("GET", path);
  await call("DELETE", `${path}/${data[0]?.id}`);
}
