import type { Page } from "@playwright/test";
import type { RateLimit } from "@/lib/contract/operations/models/rate-limits";
import { adminApi } from "../../support/clients/admin-api";
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
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { expectNoSidewaysScroll } from "../../support/pages/expect-no-sideways-scroll";
import { holdPosts } from "../../support/pages/hold-posts";
import { createSelectedProject } from "../../support/pages/select-project";
import { signIn } from "../../support/pages/sign-in";
import { PHONE } from "../../support/pages/viewports";

let projectId: string;

test.beforeEach(async ({ page, context, gatehouse }, { title }) => {
  projectId = await createSelectedProject(context, gatehouse, title);
  await signIn(page, gatehouse);
});

/** All server actions that the page sends from now on. */
function recordActions(page: Page): string[] {
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST" && request.headers()["next-action"]) sent.push(request.postData() ?? "");
  });
  return sent;
}

const question = (page: Page, name: RegExp = /^Discard /) => page.getByRole("dialog", { name });
const palette = (page: Page) => page.getByRole("combobox", { name: "Screen, project or command" });

async function searchPalette(page: Page, text: string): Promise<void> {
  await page.keyboard.press("ControlOrMeta+K");
  await expect(palette(page)).toBeFocused();
  await page.keyboard.type(text);
}

/** A user who keeps editing finds everything unchanged. */
async function keepEditing(page: Page): Promise<void> {
  await question(page).getByRole("button", { name: "Keep editing" }).click();
  await expect(question(page)).toBeHidden();
}

for (const [name, form] of pageForms) {
  test(`${name}: Enter in the palette sends nothing and asks before the form is left`, async ({
    page,
    gatehouse,
  }) => {
    await openForm(page, form, gatehouse);
    await fillForm(page, form);
    const sent = recordActions(page);
    const address = page.url();
    await searchPalette(page, "Balance");
    await page.keyboard.press("Enter");
    await expect(question(page, form.discardTitle)).toContainText(form.calledField ?? form.field);
    await keepEditing(page);
    await expect(locateField(page, form)).toHaveValue(form.input);
    await expect(locateField(page, form)).toBeFocused();
    expect(page.url()).toBe(address);

    await searchPalette(page, "Balance");
    await page
      .getByRole("option", { name: /Balance/ })
      .first()
      .click();
    await question(page).getByRole("button", { name: "Discard changes" }).click();
    await page.waitForURL("**/balance");
    // Except the palette's requests to the gateway when the typing pauses.
    expect(sent.filter((body) => !/^\["Ba\w*"\]$/.test(body))).toEqual([]);
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
    await searchPalette(page, "Balance");
    await page.keyboard.press("Enter");
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
  test(`${name}: neither Escape nor a click beside the dialog loses what was typed`, async ({
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
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await question(page).getByRole("button", { name: "Discard changes" }).click();
    await expect(dialog).toBeHidden();
    await openFormDialog(page, form);
    await expect(locateField(page, form)).toHaveValue(form.saved ?? "");
  });
}

const limits = everyForm.limits as (typeof everyForm)[string];
const waysOut: Readonly<Record<string, (page: Page, other: string) => Promise<void>>> = {
  "a link": (page) => page.getByRole("navigation").getByRole("link", { name: "People" }).click(),
  "the other project in the breadcrumb": async (page, other) => {
    await page.getByRole("button", { name: /Switch project/ }).click();
    await page.getByRole("menuitemradio", { name: other }).click();
  },
  "the other project in the palette": async (page, other) => {
    await searchPalette(page, other);
    await page.keyboard.press("Enter");
  },
  "signing out": async (page) => {
    await page.getByRole("button", { name: /^Signed in as/ }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
  },
  "signing out in the palette": async (page) => {
    await searchPalette(page, "Sign out");
    await page.keyboard.press("Enter");
  },
  back: (page) => page.evaluate(() => window.history.back()),
};

test("an edit form comes from the server without changes to save", async ({ page }) => {
  for (const path of ["/models/sandbox-chat", "/rate-limits/rl_sandbox-chat"]) {
    const sent = await (await page.request.get(path)).text();
    expect(sent).toContain(">Save</span></button>");
    expect(sent).not.toMatch(/Save \d+ change/);
  }
});

test("no way out loses a change without a question", async ({ page, gatehouse }) => {
  const other = await adminApi(gatehouse).createProject("Elsewhere");
  await page.goto("/rate-limits");
  await page.getByRole("link", { name: /^sandbox-echo/ }).click();
  await fillForm(page, limits);
  for (const [way, leave] of Object.entries(waysOut)) {
    await test.step(way, async () => {
      await leave(page, other.name);
      await expect(question(page)).toContainText("You changed Requests per minute");
      await keepEditing(page);
      await expect(locateField(page, limits)).toHaveValue("555");
    });
  }
  const asked = page.waitForEvent("dialog");
  void page.evaluate(() => window.location.reload()).catch(() => {});
  const unload = await asked;
  expect(unload.type()).toBe("beforeunload");
  await unload.dismiss();
  await expect(locateField(page, limits)).toHaveValue("555");

  await page.setViewportSize(PHONE);
  await page.evaluate(() => window.history.back());
  await expect(question(page)).toBeVisible();
  await expectNoSidewaysScroll(page);
  await expectNoAxeViolations(page);
  await question(page).getByRole("button", { name: "Discard changes" }).click();
  await page.waitForURL(/\/limits$/);
});

test("keeps typed input with its project", async ({ page, gatehouse }) => {
  const api = adminApi(gatehouse);
  const other = await api.createProject("Other of two");
  await openForm(page, limits, gatehouse);
  await fillForm(page, limits);
  await waysOut["the other project in the breadcrumb"]?.(page, other.name);
  await question(page).getByRole("button", { name: "Discard changes" }).click();
  await expect(page.getByText(`Rate limits in project ${other.name}`)).toBeVisible();
  await expect(locateField(page, limits)).toHaveValue("600");
  await expect(page.getByText("unsaved change")).toHaveCount(0);
  for (const id of [projectId, other.id]) {
    const { data } = await api.call<{ data: RateLimit[] }>("GET", `/projects/${id}/rate_limits`);
    expect(data.find(({ model }) => model === "sandbox-echo")?.max_requests_per_1_minute).toBe(600);
  }
});
