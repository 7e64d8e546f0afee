import type { Page } from "@playwright/test";
import { adminApi } from "../../support/clients/admin-api";
import { expect, test } from "../../support/fixtures/test";
import { chooseByArrows, expectFocusKept, goByPalette, tabTo } from "../../support/pages/keyboard";
import { openAsMember } from "../../support/pages/open-as-member";
import { signIn } from "../../support/pages/sign-in";
import { writeLastMonth } from "../../support/stored-data/past-month";

// Stories without a mouse: nothing here may click, hover, fill or focus.
test.use({ scene: "keyboard", environment: { GATEHOUSE_OPENING_BALANCE: "0" } });
test.describe.configure({ timeout: 120_000 });

const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: true }).first();
const dialog = (page: Page, name: string | RegExp) => page.getByRole("dialog", { name });

test("an admin sets a limit, invites a member and issues a key", async ({ page, gatehouse }) => {
  await signIn(page, gatehouse);
  await page.goto("/");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await tabTo(page, page.getByRole("link", { name: "Skip to content" }));
  await page.keyboard.press("Enter");
  await expect(page.locator("#main")).toBeFocused();

  await goByPalette(page, "rate limits");
  await expect(page).toHaveURL(/\/projects\/[^/]+\/limits$/);
  const cell = page.locator("[data-cell-input]");
  await tabTo(page, cell);
  const isThere = async () => (await cell.getAttribute("aria-label"))?.includes("sandbox-echo, Requests");
  for (let row = 0; row < 30 && !(await isThere()); row++) await page.keyboard.press("ArrowDown");
  await expect(cell).toHaveAccessibleName(/sandbox-echo, Requests per minute/);
  await page.keyboard.press("Home");
  await page.keyboard.press("Enter");
  const limit = page.getByLabel("Requests per minute", { exact: true });
  await tabTo(page, limit);
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type("7");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Saved 1 change")).toBeVisible();
  await expect(limit).toBeFocused();

  await goByPalette(page, "members");
  await expect(page).toHaveURL("/members");
  await tabTo(page, button(page, "Invite member"));
  await page.keyboard.press("Enter");
  await expect(dialog(page, "Invite member").getByLabel("Email")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(button(page, "Invite member")).toBeFocused();
  await page.keyboard.press("Enter");
  await page.keyboard.type("ada@example.com");
  await tabTo(page, dialog(page, "Invite member").getByRole("radio", { checked: true }));
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await tabTo(
    page,
    dialog(page, "ada@example.com is invited").getByRole("button", { name: "I have copied it" }),
  );
  await page.keyboard.press("Enter");
  await expect(page.getByRole("row", { name: /ada@example.com/ })).toBeVisible();
  await expectFocusKept(page);

  await goByPalette(page, "create key");
  await expect(dialog(page, "Create key").getByRole("textbox", { name: "Name" })).toBeFocused();
  await page.keyboard.type("nightly reports");
  await page.keyboard.press("Enter");
  await tabTo(page, dialog(page, /created$/).getByRole("button", { name: "I have copied it" }));
  await page.keyboard.press("Enter");
  const row = page.getByRole("row", { name: /nightly reports/ });
  await expect(row).toBeVisible();
  await expectFocusKept(page);
  await tabTo(page, row.getByRole("button", { name: /^Delete key/ }));
  await page.keyboard.press("Enter");
  await expectFocusKept(page);
  await page.keyboard.press("Escape");
  await expect(row.getByRole("button", { name: /^Delete key/ })).toBeFocused();
});

test("a finance person records a payment, closes the month and exports the ledger", async ({
  page,
  context,
  gatehouse,
}) => {
  const project = await adminApi(gatehouse).createProject("Support bot");
  writeLastMonth(gatehouse, project.id);
  await openAsMember(context, gatehouse, { email: "fay@example.com", name: "Fay", role: "finance" });
  await page.goto("/balance");
  await tabTo(page, button(page, "Record payment"));
  await page.keyboard.press("Enter");
  await expect(dialog(page, "Record payment").getByLabel("Amount")).toBeFocused();
  await page.keyboard.type("1,234.50");
  await tabTo(page, dialog(page, "Record payment").getByLabel("Reference"));
  await page.keyboard.type("Invoice 12");
  await page.keyboard.press("Enter");
  await expect(page.getByText("It can be spent now.")).toBeVisible();
  await expectFocusKept(page);

  const download = page.waitForEvent("download");
  await tabTo(page, button(page, "Export"));
  await page.keyboard.press("Enter");
  await expect(page.getByRole("menuitem", { name: /^CSV/ })).toBeFocused();
  await page.keyboard.press("Enter");
  expect((await download).suggestedFilename()).toMatch(/\.csv$/);
  await expectFocusKept(page);

  await goByPalette(page, "statements");
  await expect(page).toHaveURL("/statements");
  const notClosed = page.getByRole("row").filter({ hasText: "Not closed" }).first();
  await tabTo(page, notClosed.getByRole("link"));
  await page.keyboard.press("Enter");
  await tabTo(page, button(page, "Close month"));
  await page.keyboard.press("Enter");
  await expectFocusKept(page);
  await page.keyboard.press("Escape");
  await expect(button(page, "Close month")).toBeFocused();
  await page.keyboard.press("Enter");
  await tabTo(page, page.getByRole("dialog").getByRole("button", { name: /^Close / }));
  await page.keyboard.press("Enter");
  await expect(page.getByText(/UTC by Fay$/)).toBeVisible();
  await expectFocusKept(page);
});

test("a tester sends, stops, adds a pane, compares and starts again", async ({
  page,
  context,
  gatehouse,
}) => {
  await openAsMember(context, gatehouse, { email: "tes@example.com", name: "Tes", role: "prompt_tester" });
  await adminApi(gatehouse).call("POST", "/payments", { amount: "10.00", reference: "Tests" });
  await page.goto("/playground?model=sandbox-slow");
  const message = page.getByRole("textbox", { name: "Message", exact: true });
  await tabTo(page, message);
  await page.keyboard.type("many words ".repeat(20));
  await page.keyboard.press("Enter");
  await expect(page.getByRole("article")).toContainText("many words");
  await tabTo(page, page.getByRole("button", { name: /^Stop/ }).first());
  await page.keyboard.press("Enter");
  await expect(page.getByRole("article").getByText("Stopped")).toBeVisible();
  await expectFocusKept(page);

  await page.keyboard.press("Alt+N");
  await expect(page.getByRole("article")).toHaveCount(0);
  await tabTo(page, button(page, "Add pane"));
  await page.keyboard.press("Enter");
  const second = page.getByRole("region", { name: "Pane 2:" });
  await expect(second).toBeVisible();
  await expectFocusKept(page);
  await tabTo(page, second.getByLabel("Model", { exact: true }));
  await chooseByArrows(page, second.getByLabel("Model", { exact: true }), "sandbox-echo");
  await expect(second.getByLabel("Model", { exact: true })).toHaveValue("sandbox-echo");
  await tabTo(page, message);
  await page.keyboard.type("one two");
  await page.keyboard.press("Enter");
  await expect(second.getByRole("article")).toContainText("one two");
  await expect(message).toBeFocused();
  await tabTo(page, second.getByRole("button", { name: "More for this pane" }));
  await page.keyboard.press("Enter");
  await expect(page.getByRole("menuitem").first()).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(second.getByRole("button", { name: "More for this pane" })).toBeFocused();
});

test("an admin finds a changed limit in the audit log and reverts it", async ({ page, gatehouse }) => {
  const api = adminApi(gatehouse);
  const project = await api.createProject("Reverts");
  await api.saveRateLimit(project.id, "sandbox-echo", { max_requests_per_1_minute: 3 });
  await signIn(page, gatehouse);
  await page.goto(`/audit-logs?project_ids=${project.id}&event_types=rate_limit.updated`);
  const rows = page.getByRole("table", { name: "Changes, newest first" }).getByRole("row");
  await tabTo(page, rows.nth(1).getByRole("link"));
  await page.keyboard.press("Enter");
  await tabTo(page, dialog(page, "Changed rate limits").getByRole("button", { name: "Revert" }));
  await page.keyboard.press("Enter");
  const question = dialog(page, /^Revert this change of sandbox-echo/);
  await tabTo(page, question.getByRole("button", { name: "Revert change" }));
  await page.keyboard.press("Enter");
  await expect(question).toBeHidden();
  await expect(rows.nth(1)).toContainText("Requests per minute 3→600");
  await expectFocusKept(page);
  await page.keyboard.press("Escape");
  await expect(dialog(page, "Changed rate limits")).toBeHidden();
  await expectFocusKept(page);
});
