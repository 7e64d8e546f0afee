import { adminApi } from "../../support/clients/admin-api";
import { expect, test } from "../../support/fixtures/test";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { expectFitsPhone } from "../../support/pages/expect-no-sideways-scroll";
import { signIn } from "../../support/pages/sign-in";

test.beforeEach(async ({ page, gatehouse }) => signIn(page, gatehouse));

test("the console is viewed as an unsaved role: what it sees, locked, until Escape leads back to the draft", async ({
  page,
  gatehouse,
}) => {
  const api = adminApi(gatehouse);
  const { id } = await api.call<{ id: string }>("POST", "/roles", {
    role_name: "Group keeper",
    permissions: ["api.groups.read"],
  });
  await page.goto(`/roles/${id}`);
  await page.getByRole("checkbox", { name: "api.groups.write" }).check();
  await page.getByRole("button", { name: "View as this role" }).click();
  const bar = page.getByRole("region", { name: "View as a role" });
  await expect(bar).toContainText("You see the console as Group keeper.");
  await expect(bar).toContainText("with your unsaved changes to the role");
  const screens = page.getByRole("navigation", { name: "Screens" });
  await expect(screens.getByRole("link", { name: "Groups" })).toBeVisible();
  await expect(screens.getByRole("link", { name: "Billing" })).toHaveCount(0);
  await screens.getByRole("link", { name: "Groups" }).click();
  await page.getByRole("button", { name: "Create group" }).click();
  await expect(
    page.getByText("Nothing can be changed while you view the console as Group keeper.").last(),
  ).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expectNoAxeViolations(page);
  await bar.getByRole("button", { name: "What it doesn’t see" }).click();
  await expect(page.getByText("What this role doesn’t see")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(bar).toBeVisible();
  await page.keyboard.press("Escape");
  await page.waitForURL(`**/roles/${id}`);
  await expect(bar).toHaveCount(0);
  await expect(page.getByRole("checkbox", { name: "api.groups.write" })).toBeChecked();
  await expect(page.getByText("1 unsaved change")).toBeVisible();
  await page.goto("/audit-logs");
  await expect(page.getByText("Viewed the console as role").first()).toBeVisible();
});

test("another role is chosen in the bar, and what needs a permission that it lacks is refused", async ({
  page,
}) => {
  await page.goto("/roles/role_finance");
  await page.getByRole("button", { name: "View as this role" }).click();
  const bar = page.getByRole("region", { name: "View as a role" });
  await expect(bar).toContainText("You see the console as Finance. Read-only.");
  await bar.getByRole("button", { name: "Another role" }).click();
  await page.getByRole("menuitemradio", { name: "Reader" }).click();
  await expect(bar).toContainText("You see the console as Reader.");
  await page.goto("/settings");
  await expect(page.getByText("You don’t have permission to change the organization")).toBeVisible();
  await expectFitsPhone(page);
  await bar.getByRole("button", { name: "Back to the role" }).click();
  await page.waitForURL("**/roles/role_reader");
  await expect(bar).toHaveCount(0);
});
