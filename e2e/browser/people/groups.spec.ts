import { adminApi } from "../../support/clients/admin-api";
import { joinMember } from "../../support/clients/join-member";
import { expect, test } from "../../support/fixtures/test";
import { expectAccessibleOnPhone } from "../../support/pages/expect-accessible";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { expectNoSidewaysScroll } from "../../support/pages/expect-no-sideways-scroll";
import { openAsMember } from "../../support/pages/open-as-member";
import { signIn } from "../../support/pages/sign-in";
import { PHONE } from "../../support/pages/viewports";

test.use({ scene: "groups" });

test("a group is created, given a member and roles, renamed and deleted with only the keyboard", async ({
  page,
  gatehouse,
}) => {
  const { createProject } = adminApi(gatehouse);
  await createProject("Checkout");
  await createProject("Billing app");
  await joinMember(gatehouse, "ada@example.com", { name: "Ada", role: "prompt_tester" });
  await signIn(page, gatehouse);
  await page.goto("/groups");
  await expectNoAxeViolations(page);
  await page.getByRole("button", { name: "Create group" }).press("Enter");
  await page.getByLabel("Name", { exact: true }).fill("Data science");
  await expectNoAxeViolations(page);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Data science" })).toBeVisible();
  await expectNoAxeViolations(page);

  await page.getByRole("button", { name: "Add member" }).press("Enter");
  const email = page.getByRole("combobox", { name: "Email" });
  await email.fill("nobody@example.com");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog")).toContainText("No member has this address");
  await expect(email).toHaveValue("nobody@example.com");
  await email.fill("Ada@example.com");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("row", { name: /Ada/ })).toBeVisible();

  await page.getByRole("button", { name: "Assign role" }).press("Enter");
  await page.getByLabel("Where it applies").selectOption("Checkout");
  await page.getByRole("radio", { name: /^Project viewer/ }).check();
  await page.getByRole("checkbox", { name: /^Billing app/ }).check();
  await expectNoAxeViolations(page);
  await page.keyboard.press("Enter");
  const roles = page.getByRole("list", { name: "Roles of this group" });
  await expect(page.getByText("Data science holds Project viewer in 2 projects now")).toBeVisible();
  await expect(roles).toContainText("Billing app");
  await expect(page.getByRole("button", { name: "Assign role" })).toBeFocused();
  await page.getByRole("button", { name: "Assign role" }).press("Enter");
  await page.getByRole("radio", { name: /^Finance/ }).check();
  await page.keyboard.press("Enter");
  await expect(roles).toContainText("Finance");
  await expectNoAxeViolations(page);

  await roles
    .getByRole("button", { name: "Remove the role Project viewer in the project Checkout" })
    .press("Enter");
  await expect(page.getByRole("dialog")).toContainText("for everyone in the group");
  await page.getByRole("button", { name: "Remove role" }).press("Enter");
  await expect(roles).not.toContainText("Checkout");
  await expect(roles).toContainText("Billing app");

  await page.getByRole("button", { name: "Rename" }).press("Enter");
  await page.getByLabel("Name", { exact: true }).fill("Analysts");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Analysts" })).toBeVisible();

  await page.getByRole("button", { name: "Remove Ada from the group" }).press("Enter");
  await page.getByRole("button", { name: "Remove from group" }).press("Enter");
  await expect(page.getByText("This group has no members")).toBeVisible();

  await page.getByRole("button", { name: "Delete group" }).press("Enter");
  await page.getByRole("dialog").getByRole("button", { name: "Delete group" }).press("Enter");
  await expect(page.getByText("No groups yet")).toBeVisible();
});

test("who may only read groups is not told to give roles to one", async ({ page, context, gatehouse }) => {
  await openAsMember(context, gatehouse, { email: "rea@example.com", name: "Rea", role: "reader" });
  await page.goto("/groups");
  await expect(page.getByText("Members of a group share its roles.")).toBeVisible();
  await expect(page.getByText("Give a role")).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Create group" })).toHaveCount(0);
  await expectNoAxeViolations(page);
});

test("a member holds several roles, each given and taken away by itself", async ({ page, gatehouse }) => {
  const { id } = await joinMember(gatehouse, "bob@example.com", { name: "Bob" });
  await signIn(page, gatehouse);
  await page.goto(`/members/${id}`);
  await page.getByRole("button", { name: "Assign role" }).click();
  await page.getByRole("radio", { name: /^Finance/ }).check();
  await page.getByRole("dialog").getByRole("button", { name: "Assign role" }).click();
  const roles = page.getByRole("list", { name: "Roles of this member" });
  await expect(roles).toContainText("Finance");
  await expect(roles).toContainText("Reader");
  await roles.getByRole("button", { name: /^Remove the role Reader/ }).click();
  await page.getByRole("button", { name: "Remove role" }).click();
  await expect(roles).not.toContainText("Reader");
  await expectAccessibleOnPhone(page);
});

test("a group renamed by another member is not deleted without showing the new name", async ({
  page,
  gatehouse,
}) => {
  const { call } = adminApi(gatehouse);
  const { id } = await call<{ id: string }>("POST", "/groups", { name: "Old name" });
  await signIn(page, gatehouse);
  await page.setViewportSize(PHONE);
  await page.goto(`/groups/${id}`);
  await page.getByRole("button", { name: "Delete group" }).click();
  await call("POST", `/groups/${id}`, { name: "New name" });
  await page.getByRole("dialog").getByRole("button", { name: "Delete group" }).click();
  await expect(page.getByRole("dialog")).toContainText("changed");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("heading", { level: 1, name: "New name" })).toBeVisible();
  await expectNoSidewaysScroll(page);
  await expectNoAxeViolations(page);
});
