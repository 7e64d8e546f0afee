import type { Page } from "@playwright/test";
import type { RateLimit } from "@/lib/contract/operations/models/rate-limits";
import { adminApi } from "../../support/clients/admin-api";
import { expect, test } from "../../support/fixtures/test";
import { everyForm, fillForm, locateField, openForm } from "../../support/forms/every-form";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { expectNoSidewaysScroll } from "../../support/pages/expect-no-sideways-scroll";
import { createSelectedProject } from "../../support/pages/select-project";
import { signIn } from "../../support/pages/sign-in";
import { PHONE } from "../../support/pages/viewports";

let projectId: string;

test.beforeEach(async ({ page, context, gatehouse }, { title }) => {
  projectId = await createSelectedProject(context, gatehouse, title);
  await signIn(page, gatehouse);
});

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
