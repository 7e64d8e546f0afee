import type { Page } from "@playwright/test";
import { adminApi } from "../../support/clients/admin-api";
import { expect, test } from "../../support/fixtures/test";
import { everyForm, locateField, openForm } from "../../support/forms/every-form";
import type { ScreenForm } from "../../support/forms/screen-form";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { holdScripts } from "../../support/pages/hold-scripts";
import { createSelectedProject } from "../../support/pages/select-project";
import { signIn } from "../../support/pages/sign-in";

test.beforeEach(async ({ page, context, gatehouse }, { title }) => {
  await createSelectedProject(context, gatehouse, title);
  await signIn(page, gatehouse);
});

const limits = everyForm.limits as ScreenForm;
const role = everyForm.role as ScreenForm;
const newRole = everyForm["new role"] as ScreenForm;
const palette = (page: Page) => page.getByRole("combobox", { name: "Screen, project or command" });

test("each permission ticked or cleared is a change", async ({ page, gatehouse }) => {
  await openForm(page, role, gatehouse);
  const box = (permission: string) => page.getByRole("checkbox", { name: permission });
  await box("api.ledger.read").check();
  await box("api.rate_limits.read").check();
  await expect(page.getByText("2 unsaved changes")).toBeVisible();
  await box("api.roles.read").uncheck();
  await expect(page.getByRole("button", { name: "Save 3 changes" })).toBeVisible();
  await box("api.rate_limits.read").uncheck();
  await page.getByRole("button", { name: "Save 2 changes" }).click();
  await expect(page.getByText("Saved 2 changes")).toBeVisible();
});

test("a required limit that was cleared stays empty until it is filled in", async ({ page, gatehouse }) => {
  await openForm(page, limits, gatehouse);
  await locateField(page, limits).fill("");
  await page.getByLabel("Requests per day", { exact: true }).fill("9");
  await page.getByLabel("Tokens per minute", { exact: true }).fill("100");
  await expect(locateField(page, limits)).toHaveValue("");
  await expect(locateField(page, limits)).toHaveAccessibleDescription("Requests per minute is required.");
  await page.keyboard.press("Enter");
  await expect(page.getByText("One field needs attention. Nothing was saved.")).toBeVisible();
  await page.getByRole("button", { name: "Discard" }).click();
  await expect(locateField(page, limits)).toHaveValue("600");
});

/**
 * Waits for a task that the page runs after those of the press, in which it validates the field. No time has to pass.
 */
const runNextTask = (page: Page) => page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));

test("nothing is refused while the focus moves within the permissions", async ({ page, gatehouse }) => {
  await openForm(page, newRole, gatehouse);
  await page.getByRole("searchbox", { name: "Search permissions" }).focus();
  for (const _ of [1, 2, 3, 4]) await page.keyboard.press("Tab");
  await page.getByText("See every ledger entry").first().hover();
  await page.mouse.down();
  await runNextTask(page);
  await expect(page.getByText("Select at least one permission.")).toHaveCount(0);
  await page.mouse.up();
  await runNextTask(page);
  await expect(page.getByText("Select at least one permission.")).toHaveCount(0);
  await page.mouse.click(700, 100);
});

test("passes text typed before the palette has loaded to the palette, and runs it on Enter", async ({
  page,
  gatehouse,
}) => {
  await openForm(page, limits, gatehouse);
  await page.waitForLoadState("networkidle");
  const release = await holdScripts(page);
  await locateField(page, limits).focus();
  await page.keyboard.press("ControlOrMeta+K");
  await page.keyboard.type("Balansw");
  await page.keyboard.press("Backspace");
  await page.keyboard.press("Backspace");
  await page.keyboard.type("ce");
  await expect(palette(page)).toHaveCount(0);
  await release();
  await expect(palette(page)).toHaveValue("Balance");
  await expectNoAxeViolations(page);
  await page.keyboard.type("x");
  await expect(palette(page)).toHaveValue("Balancex");
  await page.keyboard.press("Escape");
  await expect(locateField(page, limits)).toHaveValue("600");
  await expect(locateField(page, limits)).toBeFocused();
});

test("Enter that is held down acts where it went down, and sends no form behind", async ({
  page,
  gatehouse,
}) => {
  await openForm(page, limits, gatehouse);
  await locateField(page, limits).fill("555");
  const saves: string[] = [];
  page.on("request", (request) => {
    // What the limit would do is asked while it is typed.
    if (request.method() === "POST" && !request.postData()?.includes('"days":')) saves.push(request.url());
  });
  await page.keyboard.press("ControlOrMeta+K");
  await palette(page).fill("Use the dark");
  await page.keyboard.down("Enter");
  await expect(palette(page)).toHaveCount(0);
  await expect(locateField(page, limits)).toBeFocused();
  for (const _ of [1, 2, 3]) await page.keyboard.down("Enter");
  await page.keyboard.up("Enter");
  // A save would have been sent before this read is answered.
  await page.evaluate(() => fetch("/api/me"));
  expect(saves).toEqual([]);
  await expect(page.getByText("1 unsaved change")).toBeVisible();
});

test("keeps a message typed before the playground's script has loaded, and sends it", async ({ page }) => {
  const release = await holdScripts(page);
  await page.goto("/playground?model=sandbox-echo", { waitUntil: "commit" });
  const message = page.getByRole("textbox", { name: "Message", exact: true });
  await message.fill("typed early");
  await release();
  await expect(page.getByRole("button", { name: "Send", exact: true })).toBeEnabled();
  await expect(message).toHaveValue("typed early");
  await message.press("Enter");
  await expect(page.getByRole("article")).toContainText("typed early");
});

test("keeps a model chosen and settings typed before the playground's script has loaded, and sends them", async ({
  page,
}) => {
  const release = await holdScripts(page);
  await page.goto("/playground?model=sandbox-echo", { waitUntil: "commit" });
  await page.getByLabel("Model", { exact: true }).selectOption("sandbox-slow");
  await page.getByRole("textbox", { name: "System" }).fill("Answer briefly");
  await page.getByLabel("Max output tokens").fill("7");
  await page.getByLabel("API", { exact: true }).selectOption("messages");
  await release();
  await expect(page.getByRole("region", { name: "Pane 1: sandbox-slow" })).toBeVisible();
  await expect(page.getByLabel("Model", { exact: true })).toHaveValue("sandbox-slow");
  await page.getByRole("textbox", { name: "Message", exact: true }).fill("one two three");
  await page.getByRole("button", { name: "Code", exact: true }).click();
  const code = page.getByRole("dialog");
  await expect(code).toContainText("Answer briefly");
  await expect(code).toContainText('"max_tokens": 7');
  await expect(code).toContainText("/v1/messages");
});

test("keeps options of a picture typed before the playground's script has loaded", async ({ page }) => {
  const release = await holdScripts(page);
  await page.goto("/playground?model=sandbox-image", { waitUntil: "commit" });
  await page.getByLabel("Size").fill("1000x500");
  await page.getByLabel("Quality").selectOption("hd");
  await page.getByLabel("Further parameters").fill('{"sandbox": {"outcome": "failed"}}');
  await release();
  await page.getByRole("textbox", { name: "Message", exact: true }).fill("a lighthouse");
  await expect(page.getByRole("button", { name: "Send", exact: true })).toBeEnabled();
  await page.getByRole("button", { name: "Code", exact: true }).click();
  const code = page.getByRole("dialog");
  await expect(code).toContainText("1000x500");
  await expect(code).toContainText("hd");
  await expect(code).toContainText("failed");
});

test("keeps text typed and options chosen before the page's script has loaded", async ({
  page,
  gatehouse,
}) => {
  const release = await holdScripts(page);
  const { id } = await adminApi(gatehouse).createProject("Slow connection");
  await page.goto(`/projects/${id}?tab=data`, { waitUntil: "commit" });
  const mode = page.getByLabel("Keep", { exact: true });
  const days = page.getByLabel("Delete after", { exact: true });
  const patterns = page.getByLabel("Patterns to redact", { exact: true });
  await mode.selectOption("metadata");
  await days.fill("12");
  await patterns.fill("secret");
  await release();
  await expect(page.getByText("3 unsaved changes")).toBeVisible();
  await expect(mode).toHaveValue("metadata");
  await expect(days).toHaveValue("12");
  await expect(patterns).toHaveValue("secret");
  await page.getByRole("button", { name: "Save 3 changes" }).click();
  await expect(page.getByText("Saved 3 changes")).toBeVisible();
});
