import type { Page } from "@playwright/test";
import OpenAI from "openai";
import { permissions } from "@/lib/contract/access/permissions";
import { predefinedRoles } from "@/lib/contract/access/predefined-roles";
import { adminApi } from "../../support/clients/admin-api";
import { expect, test } from "../../support/fixtures/test";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { expectFitsPhone, expectNoSidewaysScroll } from "../../support/pages/expect-no-sideways-scroll";
import { findField } from "../../support/pages/find-on-page";
import { openSpecificationConsole } from "../../support/pages/open-specification-console";
import { signIn } from "../../support/pages/sign-in";
import { PHONE } from "../../support/pages/viewports";
import type { Gatehouse } from "../../support/programs/start-gatehouse";

test.beforeEach(async ({ page, gatehouse }) => signIn(page, gatehouse));

const box = (page: Page, permission: string) => page.getByRole("checkbox", { name: permission });
/** One of None, Read, and Read and write. */
const level = (page: Page, resource: string, name: string) =>
  page
    .getByRole("radiogroup", { name: `Access to ${resource}`, exact: true })
    .getByRole("radio", { name, exact: true });
const createButton = (page: Page) => page.getByRole("button", { name: "Create role" });

/** Creates a role for the test over the API. */
function makeRole(gatehouse: Gatehouse, role_name: string, description?: string) {
  return adminApi(gatehouse).call<{ id: string }>("POST", "/roles", {
    role_name,
    ...(description ? { description } : {}),
    permissions: ["api.roles.read", "api.ledger.read"],
  });
}

async function openRole(page: Page, id: string, name: string): Promise<void> {
  await page.goto(`/roles/${id}`);
  await expect(findField(page, "Name")).toHaveValue(name);
}

test("a role is created with only the keyboard, and the official SDK lists it", async ({
  page,
  gatehouse,
}) => {
  await page.goto("/roles/new");
  await findField(page, "Name").focus();
  await page.keyboard.type("Rate keeper");
  await page.keyboard.press("Tab");
  await page.keyboard.type("Keeps an eye on limits.");
  await page.keyboard.press("Tab");
  await page.keyboard.type("who can change rate limits?");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "Start from…" })).toBeFocused();
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type("rate limit");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await expect(page.getByText(`2 of ${permissions.length} permissions`)).toBeVisible();
  await expect(page.getByRole("tabpanel")).toContainText('role_name: "Rate keeper"');
  await expect(page.getByRole("tabpanel")).toContainText('"api.rate_limits.write"');
  await expectNoAxeViolations(page);
  await page.keyboard.press("Enter");

  await expect(page.getByRole("heading", { level: 1, name: "Rate keeper" })).toBeVisible();
  await expect(page.getByText("Role “Rate keeper” created").last()).toBeVisible();
  const client = new OpenAI({ baseURL: gatehouse.baseUrl, adminAPIKey: gatehouse.adminKey });
  const listed = (await client.admin.organization.roles.list()).data.find(
    ({ name }) => name === "Rate keeper",
  );
  expect(listed).toMatchObject({
    description: "Keeps an eye on limits.",
    permissions: ["api.rate_limits.read", "api.rate_limits.write"],
  });
  await page.goto("/roles");
  await expect(
    page
      .getByRole("row", { name: /^Rate keeper/ })
      .getByRole("cell")
      .last(),
  ).toHaveText("2");
});

test("reports a taken name at its field, and preserves what was typed", async ({ page }) => {
  await page.goto("/roles/new");
  await createButton(page).click();
  await expect(findField(page, "Name")).toHaveAccessibleDescription("Name must not be empty.");
  await expect(page.getByText("Select at least one permission.")).toBeVisible();
  await expectNoAxeViolations(page);

  await findField(page, "Name").fill("owner");
  await findField(page, "Description").fill("Mine.");
  await level(page, "Roles", "Read and write").check();
  await createButton(page).click();
  await expect(findField(page, "Name")).toHaveAccessibleDescription(/There is a role "Owner" already/);
  await expect(findField(page, "Name")).toHaveAttribute("aria-invalid", "true");
  await expect(findField(page, "Name")).toBeFocused();
  await expect(findField(page, "Name")).toHaveValue("owner");
  await expect(findField(page, "Description")).toHaveValue("Mine.");
  await expect(box(page, "api.roles.write")).toBeChecked();
  await expectNoAxeViolations(page);
});

test("permissions are found by their sentences and questions, and set by the resource", async ({ page }) => {
  await page.goto("/roles/new");
  await box(page, "api.project_api_keys.write").check();
  for (const name of ["None", "Read", "Read and write"])
    await expect(level(page, "Project keys", name)).not.toBeChecked();
  await level(page, "Project keys", "Read").check();
  await expect(box(page, "api.project_api_keys.read")).toBeChecked();
  await expect(box(page, "api.project_api_keys.write")).not.toBeChecked();
  await page.keyboard.press("Escape");
  await page.locator("h1").click();
  await page.keyboard.press("/");
  await page.keyboard.type("who can rotate keys");
  await expect(page.getByRole("checkbox")).toHaveCount(1);
  await box(page, "api.project_api_keys.write").check();
  await page.getByRole("searchbox", { name: "Search permissions" }).fill("");
  await expect(level(page, "Project keys", "Read and write")).toBeChecked();
  await expect(page.getByText(`2 of ${permissions.length} permissions`)).toBeVisible();
  const contents = page.getByRole("navigation", { name: "Sections of permissions" });
  await expect(contents.getByRole("button", { name: "Keys changed 2 of 6" })).toBeVisible();
  await page.getByRole("button", { name: "Start from…" }).click();
  await page.getByRole("menuitem", { name: /^Finance/ }).click();
  await expect(box(page, "api.payments.write")).toBeChecked();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText(`2 of ${permissions.length} permissions`)).toBeVisible();
});

test("what saving changes is always beside it: who gains and loses, who keeps, and what would have been refused", async ({
  page,
  gatehouse,
}) => {
  const api = adminApi(gatehouse);
  const { id } = await api.call<{ id: string }>("POST", "/roles", {
    role_name: "Shift lead",
    permissions: ["api.groups.read", "api.groups.write"],
  });
  const { value } = await api.call<{ value: string }>("POST", "/admin_api_keys", { name: "Rota", role: id });
  const headers = { authorization: `Bearer ${value}`, "content-type": "application/json" };
  const body = JSON.stringify({ name: "Late shift" });
  await fetch(`${gatehouse.baseUrl}/organization/groups`, { method: "POST", headers, body });
  await openRole(page, id, "Shift lead");
  const pane = page.getByRole("complementary", { name: "What the role changes" });
  await level(page, "Groups", "Read").check();
  await level(page, "Invitations", "Read").check();
  await expect(pane.getByRole("region", { name: "Gained" })).toContainText("See who was invited");
  await expect(pane.getByRole("region", { name: "Lost" })).toContainText("Create, rename and delete groups");
  await expect(pane.getByRole("region", { name: "Affected" })).toContainText(
    "Rota admin keygains 1, loses 1",
  );
  const refused = pane.getByRole("region", { name: "Would have been refused" });
  await expect(refused.getByRole("listitem")).toHaveText("Rota created group1");
  await expectNoAxeViolations(page);
  await pane.getByRole("button", { name: "Compare with…" }).click();
  await pane.getByLabel("Compare with").selectOption("Reader");
  await expect(pane).toContainText("They share 2 permissions.");
  await expect(pane.getByRole("region", { name: "Only Reader" })).toContainText("See every ledger entry");
  await expectNoAxeViolations(page);
  await expectFitsPhone(page);
});

test("a predefined role is read, not changed, and copied", async ({ page }) => {
  await page.goto("/roles?q=finance");
  await page.getByRole("link", { name: "Finance" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Finance" })).toBeVisible();
  await expect(page.getByText(/, and approve payments and corrections that others recorded\./)).toBeVisible();
  await expect(page.getByRole("checkbox")).toHaveCount(0);
  await expect(page.getByRole("button", { name: /Save|Delete/ })).toHaveCount(0);
  await expectNoAxeViolations(page);
  await page.getByRole("link", { name: "Copy this role" }).click();
  await expect(findField(page, "Name")).toHaveValue("Finance copy");
  await expect(box(page, "api.payments.write")).toBeChecked();
  const held = predefinedRoles.find(({ id }) => id === "role_finance")?.permissions.length;
  await expect(page.getByText(`${held} of ${permissions.length} permissions`)).toBeVisible();
  await expectNoAxeViolations(page);
  await createButton(page).click();
  await expect(page.getByRole("heading", { level: 1, name: "Finance copy" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Delete role" })).toBeVisible();
});

test("a role is changed, and the change undone", async ({ page, gatehouse }) => {
  const { id } = await makeRole(gatehouse, "Watcher", "Watches.");
  await openRole(page, id, "Watcher");
  await findField(page, "Name").fill("Night watcher");
  await findField(page, "Description").fill("");
  await box(page, "api.models.read").check();
  await expect(page.getByText("3 unsaved changes")).toBeVisible();
  await expectNoAxeViolations(page);
  await findField(page, "Name").press("Enter");
  await expect(page.getByText("Saved 3 changes")).toBeVisible();
  await expect(page.getByRole("heading", { level: 1, name: "Night watcher" })).toBeVisible();
  await page.reload();
  await expect(findField(page, "Name")).toHaveValue("Night watcher");
  await expect(findField(page, "Description")).toHaveValue("");
  await expect(box(page, "api.models.read")).toBeChecked();

  await box(page, "api.models.read").uncheck();
  await page.getByRole("button", { name: "Save 1 change" }).click();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("Undone")).toBeVisible();
  await expect(box(page, "api.models.read")).toBeChecked();
  const role = await adminApi(gatehouse).call("GET", `/roles/${id}`);
  expect(role).toMatchObject({
    name: "Night watcher",
    description: null,
    permissions: ["api.roles.read", "api.ledger.read", "api.models.read"],
  });
});

test("a change can be discarded, and is not left by accident", async ({ page, gatehouse }) => {
  const { id } = await makeRole(gatehouse, "Keeper");
  await openRole(page, id, "Keeper");
  await findField(page, "Name").fill("Owner");
  await level(page, "Models and rates", "Read and write").check();
  await page.getByRole("button", { name: "Save 3 changes" }).click();
  await expect(findField(page, "Name")).toHaveAccessibleDescription(/There is a role "Owner" already/);
  await expect(box(page, "api.models.write")).toBeChecked();

  await page.getByRole("navigation", { name: "Screens" }).getByRole("link", { name: "Limits" }).click();
  const question = page.getByRole("dialog", { name: "Discard 3 unsaved changes?" });
  await question.getByRole("button", { name: "Keep editing" }).click();
  await expect(findField(page, "Name")).toHaveValue("Owner");
  await page.getByRole("button", { name: "Discard" }).click();
  await expect(findField(page, "Name")).toHaveValue("Keeper");
  await expect(box(page, "api.models.write")).not.toBeChecked();
  await page.getByRole("navigation", { name: "Screens" }).getByRole("link", { name: "Limits" }).click();
  await page.waitForURL("**/limits");
});

test("a role is deleted after a question that names it", async ({ page, gatehouse }) => {
  const { id } = await makeRole(gatehouse, "Passing");
  await openRole(page, id, "Passing");
  await page.getByRole("button", { name: "Delete role" }).click();
  const question = page.getByRole("dialog", { name: "Delete the role “Passing”?" });
  await expect(question).toContainText("can’t be undone");
  await expectNoAxeViolations(page);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "Delete role" })).toBeFocused();
  await page.getByRole("button", { name: "Delete role" }).click();
  await question.getByRole("button", { name: "Delete role" }).click();
  await page.waitForURL(/\/roles$/);
  await expect(page.getByRole("row", { name: /^Owner/ })).toBeVisible();
  await expect(page.getByRole("row", { name: /^Passing/ })).toHaveCount(0);
  await page.goto(`/roles/${id}`);
  await expect(page.getByRole("heading", { name: "There is no such role" })).toBeVisible();
  await expectNoAxeViolations(page);
});

test("the list is searched by name, description and permission", async ({ page }) => {
  await page.goto("/roles");
  await expect(page.getByRole("row", { name: /^Owner/ })).toBeVisible();
  await expectNoAxeViolations(page);
  const link = (name: string) => page.getByRole("link", { name, exact: true });
  await page.getByRole("searchbox", { name: "Search roles" }).fill("payments.write");
  await expect(link("Reader")).toHaveCount(0);
  await expect(link("Owner")).toBeVisible();
  await expect(link("Finance")).toBeVisible();
  await expect(page).toHaveURL(/\?q=payments.write$/);
});

test("on a phone nothing scrolls sideways", async ({ page, gatehouse }) => {
  const name = "A role whose name is so long that it has to break somewhere on a phone";
  const { id } = await makeRole(gatehouse, name, "w".repeat(200));
  await page.setViewportSize(PHONE);
  for (const path of ["/roles", "/roles/new", "/roles/role_owner"]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expectNoSidewaysScroll(page);
    await expectNoAxeViolations(page);
  }
  await openRole(page, id, name);
  await expectNoSidewaysScroll(page);
});

test("a specification-only gateway creates a role and shows its reply", async ({ browser, elsewhere }) => {
  const { page, gateway, stop } = await openSpecificationConsole(browser, elsewhere);
  await page.goto("/roles");
  await findField(page, "Name").fill("Auditor");
  await box(page, "api.ledger.read").check();
  await findField(page, "Other permissions").fill("api.groups.read");
  await expectNoAxeViolations(page);
  await createButton(page).click();
  const reply = page.getByRole("region", { name: "The gateway’s reply" });
  await expect(reply.locator("pre")).toContainText('"id": "role_specified"');
  await expect(reply.locator("pre")).toContainText('"api.groups.read"');
  expect(gateway.requests.at(-1)).toEqual({ method: "POST", path: "/organization/roles/", status: 200 });
  await expectNoAxeViolations(page);
  await stop();
});

test("a role shows its holders, as a number in the list and by name", async ({ page, gatehouse }) => {
  const { id } = await makeRole(gatehouse, "Held by a group");
  const group = await adminApi(gatehouse).call<{ id: string }>("POST", "/groups", { name: "Night shift" });
  await adminApi(gatehouse).call("POST", `/groups/${group.id}/roles`, { role_id: id });
  await page.goto("/roles");
  const row = page.getByRole("row", { name: /Held by a group/ });
  await expect(page.getByRole("columnheader", { name: "Held by" })).toBeVisible();
  await expect(row.getByRole("cell").nth(-2)).toHaveText("1");
  await page.goto(`/roles/${id}`);
  await expect(page.getByRole("heading", { name: "Held by", exact: true })).toBeVisible();
  const holders = page.getByRole("list", { name: "Holders of this role" });
  await expect(holders.getByRole("listitem")).toContainText(["Night shift group"]);
  await expectNoAxeViolations(page);
  await expectFitsPhone(page);
});
