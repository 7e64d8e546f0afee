import type { Page } from "@playwright/test";
import type { RateLimit } from "@/lib/contract/operations/models/rate-limits";
import { adminApi } from "../../support/clients/admin-api";
import { joinMember } from "../../support/clients/join-member";
import { expect, test } from "../../support/fixtures/test";
import { everyForm, locateField, openForm } from "../../support/forms/every-form";
import type { ScreenForm } from "../../support/forms/screen-form";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { expectNoSidewaysScroll } from "../../support/pages/expect-no-sideways-scroll";
import { holdPosts } from "../../support/pages/hold-posts";
import { loseReply } from "../../support/pages/lose-reply";
import { createSelectedProject } from "../../support/pages/select-project";
import { signIn } from "../../support/pages/sign-in";
import { PHONE } from "../../support/pages/viewports";

let projectId: string;

test.beforeEach(async ({ page, context, gatehouse }, { title }) => {
  projectId = await createSelectedProject(context, gatehouse, title);
  await signIn(page, gatehouse);
});

const limits = everyForm.limits as ScreenForm;
const question = (page: Page) => page.getByRole("dialog", { name: /^Someone else saved this/ });
const choice = (page: Page, name: RegExp) => question(page).getByRole("radio", { name });

test("a save over another member's change is refused and offers a choice; so is an undo", async ({
  page,
  gatehouse,
}) => {
  const api = adminApi(gatehouse);
  const save = (value: number) =>
    api.saveRateLimit(projectId, "sandbox-echo", { max_requests_per_1_minute: value });
  const held = async () => {
    const { data } = await api.call<{ data: RateLimit[] }>("GET", `/projects/${projectId}/rate_limits`);
    return data.find(({ model }) => model === "sandbox-echo")?.max_requests_per_1_minute;
  };
  await openForm(page, limits, gatehouse);
  await locateField(page, limits).fill("111");
  await save(222);
  await page.keyboard.press("Enter");
  await expect(question(page)).toContainText("Before: 600");
  expect(await held()).toBe(222);
  await expect(question(page).getByRole("button", { name: "Save choices" })).toBeDisabled();
  await expectNoAxeViolations(page);
  await page.setViewportSize(PHONE);
  await expectNoSidewaysScroll(page);
  await expectNoAxeViolations(page);
  await page.keyboard.press("Escape");
  await expect(question(page)).toBeHidden();
  await expect(locateField(page, limits)).toHaveValue("111");

  // By keyboard alone: the second choice is the user's own value.
  await locateField(page, limits).focus();
  await page.keyboard.press("Enter");
  await expect(choice(page, /Saved by someone else 222/)).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(choice(page, /Yours 111/)).toBeChecked();
  await page.keyboard.press("Enter");
  await expect(page.getByText("Saved your choices")).toBeVisible();
  expect(await held()).toBe(111);

  await save(333);
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await expect(question(page)).toContainText("Before: 111");
  await expect(choice(page, /Yours 222/)).toBeVisible();
  await choice(page, /someone else 333/).check();
  await question(page).getByRole("button", { name: "Save choices" }).click();
  await expect(page.getByText("Kept the saved values")).toBeVisible();
  await expect(locateField(page, limits)).toHaveValue("333");
  expect(await held()).toBe(333);
});

test("an undo asks before it overwrites a later save that the page has read", async ({ page, gatehouse }) => {
  await page.clock.install();
  await openForm(page, limits, gatehouse);
  await locateField(page, limits).fill("111");
  await page.keyboard.press("Enter");
  const undo = page.getByRole("button", { name: "Undo", exact: true });
  await expect(undo).toBeVisible();
  await adminApi(gatehouse).saveRateLimit(projectId, "sandbox-echo", { max_requests_per_1_minute: 333 });
  await page.clock.fastForward(60_000);
  await page.evaluate(() => window.dispatchEvent(new Event("visibilitychange")));
  await expect(locateField(page, limits)).toHaveValue("333");
  await undo.click();
  await choice(page, /someone else 333/).check();
  await question(page).getByRole("button", { name: "Save choices" }).click();
  await expect(page.getByText("Kept the saved values")).toBeVisible();
});

test("the reason for a refused save stays visible while another member’s change arrives", async ({
  page,
  gatehouse,
}) => {
  await page.clock.install();
  await openForm(page, limits, gatehouse);
  await locateField(page, limits).fill("a lot");
  await page.keyboard.press("Enter");
  const refusal = page.getByText("One field needs attention. Nothing was saved.");
  await expect(refusal).toBeVisible();
  await adminApi(gatehouse).saveRateLimit(projectId, "sandbox-echo", { max_tokens_per_1_minute: 4_321 });
  // The data is stale by then, and is read again.
  await page.clock.fastForward(60_000);
  await page.evaluate(() => window.dispatchEvent(new Event("visibilitychange")));
  await expect(page.getByLabel("Tokens per minute", { exact: true })).toHaveValue(/4,?321/);
  await expect(refusal).toBeVisible();
  await expect(locateField(page, limits)).toHaveValue("a lot");
  await expect(locateField(page, limits)).toHaveAttribute("aria-invalid", "true");
});

test("a restored draft is saved against the version it was typed on", async ({ page, gatehouse }) => {
  const api = adminApi(gatehouse);
  const save = (value: number) =>
    api.saveRateLimit(projectId, "sandbox-echo", { max_requests_per_1_minute: value });
  await openForm(page, limits, gatehouse);
  await locateField(page, limits).fill("111");
  await page.context().clearCookies({ name: /gatehouse_session/ });
  await page.keyboard.press("Enter");
  await expect(page.getByText("Your session has ended")).toBeVisible();
  await save(222);
  await page.getByRole("textbox", { name: "Admin key" }).fill(gatehouse.adminKey);
  await page.keyboard.press("Enter");
  await page.waitForURL("**/limits/sandbox-echo");
  await expect(locateField(page, limits)).toHaveValue("111");
  // Restored twice, it is still the same draft.
  await page.reload();
  await expect(locateField(page, limits)).toHaveValue("111");
  await page.getByRole("button", { name: "Save 1 change" }).click();
  await expect(question(page)).toContainText("Before: 600");
  await expect(choice(page, /Saved by someone else 222/)).toBeVisible();
  await expect(choice(page, /Yours 111/)).toBeVisible();

  // Once the draft is discarded, typing starts from the present state.
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Discard" }).first().click();
  await expect(locateField(page, limits)).toHaveValue("222");
  await locateField(page, limits).fill("444");
  await page.getByRole("button", { name: "Save 1 change" }).click();
  await expect(page.getByText("Saved 1 change")).toBeVisible();
});

test("a member's role that another member has changed is kept or replaced, as chosen", async ({
  page,
  gatehouse,
}) => {
  const { call } = adminApi(gatehouse);
  const { id } = await joinMember(gatehouse, "stale@example.com", { name: "Sta" });
  const give = (role: string) => call("POST", `/users/${id}`, { role });
  const held = async () => (await call<{ role: string }>("GET", `/users/${id}`)).role;
  const roles = page.getByRole("list", { name: "Roles of this member" });
  const change = page.getByRole("dialog", { name: "Change the role of Sta" });
  async function chooseFinance() {
    await page.getByRole("button", { name: "Change role" }).click();
    await change.getByRole("radio", { name: /^Finance/ }).check();
  }
  await page.goto(`/members/${id}`);
  await chooseFinance();
  await give("admin");
  await change.getByRole("button", { name: "Change role" }).click();
  const field = question(page).getByRole("group", { name: /^Role of Sta Before: Reader/ });
  await expect(field.getByRole("radio", { name: "Yours Finance" })).toBeVisible();
  await expectNoAxeViolations(page);
  await field.getByRole("radio", { name: "Saved by someone else Admin" }).check();
  await question(page).getByRole("button", { name: "Save choices" }).click();
  await expect(change).toBeHidden();
  await expect(roles.getByRole("link", { name: "Admin" })).toBeVisible();
  expect(await held()).toBe("admin");

  await chooseFinance();
  await give("reader");
  await change.getByRole("button", { name: "Change role" }).click();
  await choice(page, /Yours Finance/).check();
  await question(page).getByRole("button", { name: "Save choices" }).click();
  await expect(roles.getByRole("link", { name: "Finance" })).toBeVisible();
  await expect(change).toBeHidden();
  expect(await held()).toBe("finance");
});

test("conflicting permissions are shown as additions and removals", async ({ page, gatehouse }) => {
  const api = adminApi(gatehouse);
  const role = everyForm.role as ScreenForm;
  await openForm(page, role, gatehouse);
  const path = new URL(page.url()).pathname;
  await page.getByRole("checkbox", { name: "api.ledger.read" }).check();
  await api.call("POST", path, { permissions: ["api.models.read"] });
  await page.getByRole("button", { name: "Save 1 change" }).click();
  await expect(choice(page, /someone else \+ api\.models\.read − api\.roles\.read/)).toBeVisible();
  await choice(page, /Yours \+ api\.ledger\.read/).check();
  await question(page).getByRole("button", { name: "Save choices" }).click();
  await expect(page.getByText("Saved your choices")).toBeVisible();
  expect(await api.call("GET", path)).toMatchObject({ permissions: ["api.roles.read", "api.ledger.read"] });
});

test("two presses of Enter, and a try whose answer was lost, make one project", async ({
  page,
  gatehouse,
}) => {
  const api = adminApi(gatehouse);
  const named = async (name: string) =>
    (await api.call<{ data: { name: string }[] }>("GET", "/projects?limit=1000")).data.filter(
      (project) => project.name === name,
    );
  const form = everyForm["new project"] as ScreenForm;
  await openForm(page, form, gatehouse);
  await locateField(page, form).fill("Pressed twice");
  await Promise.all([page.keyboard.press("Enter"), page.keyboard.press("Enter")]);
  await expect(page.getByText("Project “Pressed twice” created").last()).toBeVisible();
  expect(await named("Pressed twice")).toHaveLength(1);

  await page.getByRole("button", { name: "Create project" }).first().click();
  await locateField(page, form).fill("Answer lost");
  await loseReply(page, "**/projects");
  // The list is read again after each attempt, and a second attempt does not wait for that.
  await page.route("**/api/projects*", () => {});
  await page.keyboard.press("Enter");
  await expect(
    page.getByRole("alert").filter({ hasText: "send this again: it is saved only once" }),
  ).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page.getByText("Project “Answer lost” created").last()).toBeVisible();
  expect(await named("Answer lost")).toHaveLength(1);
});

for (const name of ["new project", "key name"] as const) {
  test(`${name}: what is typed while it is saved changes nothing, and the field keeps the focus`, async ({
    page,
    gatehouse,
  }) => {
    const form = everyForm[name] as ScreenForm;
    await openForm(page, form, gatehouse);
    const field = locateField(page, form);
    await field.fill("As it was sent");
    const release = await holdPosts(page, "**");
    const sent = page.waitForRequest((request) => request.method() === "POST");
    await field.press("Enter");
    await sent;
    await page.keyboard.type(", and more");
    await expect(field).toHaveValue("As it was sent");
    await expect(field).toBeFocused();
    release();
    await expect(field).toBeHidden();
    await expect(page.getByText(/“As it was sent”/).first()).toBeVisible();
  });
}
