import { readFile } from "node:fs/promises";
import type { Locator, Page } from "@playwright/test";
import { adminApi } from "../../support/clients/admin-api";
import { joinMember, PASSWORD } from "../../support/clients/join-member";
import { fetchWithKey } from "../../support/clients/send";
import { expect, test } from "../../support/fixtures/test";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { expectNoSidewaysScroll } from "../../support/pages/expect-no-sideways-scroll";
import { openSpecificationConsole } from "../../support/pages/open-specification-console";
import { signIn } from "../../support/pages/sign-in";
import { PHONE } from "../../support/pages/viewports";
import type { Gatehouse } from "../../support/programs/start-gatehouse";

test.use({ scene: "members" });

const inviteButton = (place: Page | Locator) => place.getByRole("button", { name: "Invite member" });
const memberTable = (page: Page) => page.getByRole("table", { name: "Members of the organization" });
const inviteTable = (page: Page) => page.getByRole("table", { name: "Pending invitations" });

const fetchStatus = async ({ baseUrl }: Gatehouse, token: string) =>
  (await fetchWithKey(`${baseUrl}/organization/me`, { key: token })).status;

test("a person is invited by a link that is shown once, joins, and is listed", async ({
  page,
  context,
  browser,
  gatehouse,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await signIn(page, gatehouse);
  await page.goto("/");
  await page.getByRole("navigation", { name: "Screens" }).getByRole("link", { name: "People" }).click();
  await expect(page.getByRole("heading", { name: "No members yet" })).toBeVisible();
  await expectNoAxeViolations(page);

  await inviteButton(page).click();
  const dialog = page.getByRole("dialog", { name: "Invite member" });
  await expect(dialog.getByLabel("Email")).toBeFocused();
  await expect(dialog.getByRole("radio", { name: /^Prompt tester/ })).toBeChecked();
  await expect(dialog.getByRole("combobox", { name: "Default project" })).toHaveValue("role_project_member");
  await page.keyboard.press("Enter");
  await expect(dialog).toContainText("Email must be an email address.");
  await expect(dialog.getByLabel("Email")).toBeFocused();
  await expectNoAxeViolations(page);
  await page.keyboard.type("ada@example.com");
  await dialog.getByRole("radio", { name: /^Reader/ }).check();
  await dialog.getByLabel("Email").press("Enter");

  const invited = page.getByRole("dialog", { name: "ada@example.com is invited" });
  await expect(invited).toContainText("expires in seven days");
  await expectNoAxeViolations(page);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Cancel" }).click();
  await invited.getByRole("button", { name: "Copy link" }).click();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(link).toMatch(new RegExp(`^${gatehouse.consoleUrl}/invite#token=gi_[\\w-]+$`));
  await invited.getByRole("button", { name: "I have copied it" }).click();
  expect(await page.content()).not.toContain(link.split("=")[1]);
  const pending = inviteTable(page).getByRole("row", { name: /ada@example.com/ });
  await expect(pending).toContainText("Default project (Project member)");
  await expectNoAxeViolations(page);

  const invitee = await (await browser.newContext()).newPage();
  await invitee.goto(link);
  await invitee.getByLabel("Your name").fill("Ada Lovelace");
  await invitee.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await invitee.keyboard.press("Enter");
  await expect(invitee.getByRole("button", { name: "Signed in as Ada Lovelace" })).toBeVisible();
  await invitee.context().close();
  await page.reload();
  await expect(inviteTable(page)).toContainText("Email");
  await expect(inviteTable(page)).not.toContainText("ada@example.com");
  const row = memberTable(page).getByRole("row", { name: /Ada Lovelace/ });
  await expect(row).toContainText("Reader");
  await row.getByRole("link").focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Ada Lovelace" })).toBeVisible();
  await expect(page.getByRole("listitem").filter({ hasText: "Project member" })).toContainText(
    "in Default project",
  );
});

test("a member is given another role and a password link, is signed out, and is removed", async ({
  page,
  context,
  gatehouse,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const { id, token: session } = await joinMember(gatehouse, "al@example.com", { name: "Al" });
  await signIn(page, gatehouse);
  await page.goto(`/members/${id}`);
  const roles = page.getByRole("list", { name: "Roles of this member" });
  await expectNoAxeViolations(page);
  await page.getByRole("button", { name: "Change role" }).click();
  const change = page.getByRole("dialog", { name: "Change the role of Al" });
  await expect(change.getByRole("radio", { name: /^Reader/ })).toBeChecked();
  await expectNoAxeViolations(page);
  await change.getByRole("radio", { name: /^Finance/ }).check();
  await change.getByRole("button", { name: "Change role" }).click();
  await expect(roles.getByRole("link", { name: "Finance" })).toBeVisible();
  await expect(roles.getByRole("link", { name: "Reader" })).toHaveCount(0);

  await page.getByRole("button", { name: "Create reset link" }).click();
  await expectNoAxeViolations(page);
  await page.getByRole("button", { name: "Create link" }).click();
  const made = page.getByRole("dialog", { name: "Password link for Al" });
  await expect(made).toContainText("expires in an hour");
  await expectNoAxeViolations(page);
  await made.getByRole("button", { name: "Copy link" }).click();
  const passwordLink = await page.evaluate(() => navigator.clipboard.readText());
  expect(passwordLink).toMatch(new RegExp(`^${gatehouse.consoleUrl}/new-password#token=gp_[\\w-]+$`));
  await made.getByRole("button", { name: "I have copied it" }).click();

  expect(await fetchStatus(gatehouse, session)).toBe(200);
  await page.getByRole("button", { name: /^End the session/ }).click();
  await expectNoAxeViolations(page);
  await page.getByRole("button", { name: "End session" }).click();
  await expect(page.getByText("Al is not signed in anywhere.")).toBeVisible();
  expect(await fetchStatus(gatehouse, session)).toBe(401);

  await page.getByRole("button", { name: "Remove member" }).click();
  const question = page.getByRole("dialog", { name: "Remove Al from the organization?" });
  await expectNoAxeViolations(page);
  await question.getByRole("button", { name: "Remove member" }).click();
  await page.waitForURL(/\/members$/);
  await expect(memberTable(page)).toBeVisible();
  await expect(memberTable(page)).not.toContainText("al@example.com");
});

test("the page explains why a member may do something, and which permission is missing", async ({
  page,
  gatehouse,
}) => {
  const { id } = await joinMember(gatehouse, "dan@example.com", { name: "Dan", role: "prompt_tester" });
  const { call } = adminApi(gatehouse);
  const group = await call<{ id: string }>("POST", "/groups", { name: "Night shift" });
  await call("POST", `/groups/${group.id}/users`, { user_id: id });
  await call("POST", `/groups/${group.id}/roles`, { role_id: "role_finance" });
  await signIn(page, gatehouse);
  await page.goto(`/members/${id}`);
  const choosePermission = async (name: string) => {
    await page.getByLabel("Permission", { exact: true }).click();
    await page.getByRole("searchbox", { name: "Search permission" }).fill(name);
    await page.getByRole("menuitemradio", { name }).click();
  };
  await expect(page.getByRole("listitem").filter({ hasText: "Finance" })).toContainText(
    "through the group Night shift",
  );
  await choosePermission("api.ledger.read");
  await expect(page.getByText("Yes, Dan may, in the whole organization.")).toBeVisible();
  await expect(
    page.getByText("By the role Finance, through the group Night shift, in the whole organization."),
  ).toBeVisible();
  await expectNoAxeViolations(page);
  await choosePermission("api.rate_limits.write");
  await page.getByLabel("Where").selectOption({ label: "Project Default project" });
  await expect(page.getByText("No, Dan may not, in the project Default project.")).toBeVisible();
  await expect(page.getByText(/^The role Project owner in the project Default project/)).toBeVisible();
  await expect(page).toHaveURL(/permission=api.rate_limits.write&project=proj_/);
  await expectNoAxeViolations(page);
});

test("a reader sees everything and can change nothing", async ({ page, gatehouse }) => {
  const { id } = await joinMember(gatehouse, "eve@example.com", { name: "Eve" });
  const { id: boss } = await joinMember(gatehouse, "boss@example.com", { name: "Boss", role: "owner" });
  const { call } = adminApi(gatehouse);
  const createKey = async (role: string) =>
    (await call<{ value: string }>("POST", "/admin_api_keys", { name: role, role })).value;
  await signIn(page, gatehouse, await createKey("reader"));
  await page.goto("/members");
  await expect(memberTable(page).getByRole("row", { name: /Eve/ })).toBeVisible();
  await expect(inviteTable(page)).toBeVisible();
  await expect(inviteButton(page)).toHaveCount(0);
  await expect(page.getByRole("button", { name: /^Withdraw/ })).toHaveCount(0);
  await page.goto(`/members/${id}`);
  await expect(page.getByText("You can’t change Eve")).toBeVisible();
  await expect(page.getByText("You need the permission api.users.write.")).toBeVisible();
  await expect(page.getByRole("list", { name: "Open sessions" })).toBeVisible();
  await expect(page.getByRole("button", { name: /^(Change|End|Make|Turn|Remove)/ })).toHaveCount(0);
  await expectNoAxeViolations(page);

  await page.context().clearCookies();
  await signIn(page, gatehouse, await createKey("admin"));
  await page.goto(`/members/${boss}`);
  await expect(page.getByText("They hold api.payments.write, which you don’t")).toBeVisible();
  await expect(page.getByRole("button", { name: /^(Change|End|Make|Turn|Remove)/ })).toHaveCount(0);

  await page.context().clearCookies();
  await signIn(page, gatehouse, await createKey("prompt_tester"));
  await page.goto("/members");
  await expect(page.getByText("You don’t have permission to see the members")).toBeVisible();
  await expect(inviteTable(page)).toHaveCount(0);
});

test("the list is searched, sorted and downloaded, and nothing scrolls sideways on a phone", async ({
  page,
  gatehouse,
}) => {
  await joinMember(gatehouse, "zoe@example.com", { name: "Zoe", role: "prompt_tester" });
  const long = "a.very.long.address.that.goes.on.and.on.and.on.and.on@subdomain.of.a.company.example.com";
  const { id } = await joinMember(gatehouse, long, {
    name: "Maximiliane Constantinopoulos-Featherstonehaugh",
    role: "finance",
  });
  await signIn(page, gatehouse);
  await page.goto("/members");
  await page.getByRole("button", { name: "Name" }).click();
  await page.getByRole("button", { name: "Name" }).click();
  await expect(memberTable(page).getByRole("row").nth(1)).toContainText("Zoe");
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download CSV" }).click();
  const csv = await readFile(await (await download).path(), "utf8");
  expect(csv).toContain("Zoe,zoe@example.com,");
  await page.getByRole("searchbox", { name: "Search members" }).fill("prompt zoe");
  await expect(memberTable(page).getByRole("row")).toHaveCount(2);
  await expect(page).toHaveURL(/\?q=prompt\+zoe$/);

  await page.setViewportSize(PHONE);
  for (const path of ["/members", `/members/${id}?permission=api.rate_limits.write`, "/members/user_none"]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expectNoSidewaysScroll(page);
    await expectNoAxeViolations(page);
  }
  await page.goto("/members");
  await inviteButton(page).click();
  await expect(page.getByRole("dialog", { name: "Invite member" })).toBeVisible();
  await expectNoSidewaysScroll(page);
  await expectNoAxeViolations(page);
});

test("a specification-only gateway has no members to show", async ({ browser, elsewhere }) => {
  const { page, stop } = await openSpecificationConsole(browser, elsewhere);
  for (const path of ["/members", "/members/user_1"]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1, name: /This gateway doesn’t/ })).toBeVisible();
    await expectNoAxeViolations(page);
  }
  await stop();
});
