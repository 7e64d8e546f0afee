import type { Page } from "@playwright/test";
import { adminApi } from "../../support/clients/admin-api";
import { expect, test } from "../../support/fixtures/test";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { expectNoSidewaysScroll } from "../../support/pages/expect-no-sideways-scroll";
import { signIn } from "../../support/pages/sign-in";
import { PHONE } from "../../support/pages/viewports";
import { runScript } from "../../support/programs/run-script";

// A scene of its own, so that no other spec finds a thousand members.
test.use({ scene: "lists-of-any-length" });

/** One more than the rows that a list shows first. */
const COUNT = 1_001;

test.beforeAll(async ({ gatehouse }) => {
  const { call } = adminApi(gatehouse);
  const { data } = await call<{ data: unknown[] }>("GET", "/users?limit=1");
  if (data.length === 0) runScript("add-members", gatehouse.dataFolder, String(COUNT));
});

test.beforeEach(({ page, gatehouse }) => signIn(page, gatehouse));

const rowsOf = (page: Page, table: string) => page.getByRole("table", { name: table }).getByRole("row");

test("the newest member comes first, and the oldest is found although the list shows a part", async ({
  page,
}) => {
  await page.goto("/members");
  const rows = rowsOf(page, "Members of the organization");
  await expect(rows.nth(1)).toContainText(`Person ${COUNT}`);
  await expect(page.getByText("1,000 members, more to load")).toBeVisible();
  // Sorting a part would show the first names of that part.
  await expect(page.getByRole("columnheader", { name: "Name" }).getByRole("button")).toHaveCount(0);
  await expectNoAxeViolations(page);

  await page.getByRole("searchbox", { name: "Search members" }).fill("person1@");
  await expect(rows).toHaveCount(2);
  await expect(rows.nth(1)).toContainText("Person 1");
  await page.getByRole("searchbox", { name: "Search members" }).fill("nobody");
  await expect(page.getByText("No member has “nobody” in their name, address or role.")).toBeVisible();
  await page.getByRole("searchbox", { name: "Search members" }).fill("");

  await page.getByRole("button", { name: "Load more" }).click();
  await expect(page.getByRole("button", { name: "Load more" })).toHaveCount(0);
  await page.evaluate(() => window.scrollTo(0, 0));
  await page.getByRole("button", { name: "Name" }).click();
  await expect(rows.nth(1)).toContainText("Person 1");
  await page.setViewportSize(PHONE);
  await expectNoSidewaysScroll(page);
});

test("members are filtered by role, group, second factor and last sign-in, by a link", async ({
  page,
  gatehouse,
}) => {
  const { call } = adminApi(gatehouse);
  const { data } = await call<{ data: { id: string }[] }>("GET", "/users?limit=2");
  const group = await call<{ id: string }>("POST", "/groups", { name: "Night shift" });
  await call("POST", `/groups/${group.id}/users`, { user_id: data[0]?.id });
  await call("POST", `/users/${data[1]?.id}/roles`, { role_id: "role_finance" });
  await page.goto("/members");
  const rows = rowsOf(page, "Members of the organization");
  await page.getByRole("combobox", { name: "Group" }).selectOption("Night shift");
  await expect(rows).toHaveCount(2);
  await expect(rows.nth(1)).toContainText("Person 1");
  await page.getByRole("button", { name: "Clear" }).click();
  await page.getByRole("combobox", { name: "Role" }).selectOption("Finance");
  await expect(rows).toHaveCount(2);
  await expect(rows.nth(1)).toContainText("Person 2");
  await page.getByRole("combobox", { name: "Two-factor" }).selectOption("On");
  await expect(page.getByText("No member passes these filters.")).toBeVisible();
  await page.goto("/members?role_id=role_finance&last_sign_in=never");
  await expect(rows).toHaveCount(2);
  await expectNoAxeViolations(page);
});

test("anybody is added to a group or a project, however many members there are", async ({
  page,
  gatehouse,
}) => {
  const { call, createProject } = adminApi(gatehouse);
  const group = await call<{ id: string }>("POST", "/groups", { name: "Day shift" });
  await page.goto(`/groups/${group.id}`);
  await page.getByRole("button", { name: "Add member" }).click();
  await page.getByLabel("Email").fill("person1@");
  await expect(page.locator("datalist option")).toHaveCount(1);
  await page.getByLabel("Email").fill("person1@example.com");
  await page.getByLabel("Email").press("Enter");
  await expect(rowsOf(page, "Members of the group").nth(1)).toContainText("Person 1");

  const project = await createProject("Any length");
  await page.goto(`/projects/${project.id}?tab=members`);
  await page.getByRole("button", { name: "Add member" }).click();
  await page.getByLabel("Email").fill("person1@");
  await expect(page.locator("datalist option")).toHaveCount(1);
});

test("a filter by member finds the oldest one of a thousand and one", async ({ page }) => {
  await page.goto("/audit-logs");
  await page.getByRole("button", { name: "Person: Anybody" }).click();
  await page.getByRole("searchbox", { name: "Search person" }).fill("person1@");
  await page.getByRole("menuitemradio", { name: /person1@example\.com/ }).click();
  await expect(page).toHaveURL(/actor_ids=user_0+1$/);
  await expect(page.getByRole("button", { name: "Person: person1@example.com" })).toBeVisible();
  await expectNoAxeViolations(page);
});
