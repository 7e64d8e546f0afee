import { readFile } from "node:fs/promises";
import { permissions } from "@/lib/contract/access/permissions";
import { adminApi } from "../../support/clients/admin-api";
import { expect, test } from "../../support/fixtures/test";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { expectFitsPhone } from "../../support/pages/expect-no-sideways-scroll";
import { signIn } from "../../support/pages/sign-in";

test.beforeEach(async ({ page, gatehouse }) => signIn(page, gatehouse));

test("roles are compared in words and by the keyboard, and downloaded whole", async ({ page, gatehouse }) => {
  await adminApi(gatehouse).call("POST", "/roles", {
    role_name: "Matrix lead",
    permissions: ["api.groups.read", "api.users.read"],
  });
  await page.goto("/roles");
  await page.getByRole("link", { name: "Compare" }).click();
  await page.getByLabel("With", { exact: true }).selectOption("Matrix lead");
  await page.getByLabel("Compare", { exact: true }).selectOption("Reader");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(
    /^Reader may do \d+ things that Matrix lead may not$/,
  );
  await expect(page.getByText("Nothing is allowed to Matrix lead alone.")).toBeVisible();
  const table = page.getByRole("table", { name: "Roles and permissions" });
  await expect(table.getByRole("row", { name: /Invitations/ })).toContainText("only Reader reads");
  const cell = (name: string) => table.getByRole("link", { name });
  await cell("Reader, Groups: may read").focus();
  await page.keyboard.press("ArrowRight");
  await expect(cell("Matrix lead, Groups: may read")).toBeFocused();
  await page.keyboard.press("ArrowUp");
  await expect(cell("Matrix lead, Invitations: nothing")).toBeFocused();
  await expectNoAxeViolations(page);
  await page.getByRole("button", { name: /^Only differences/ }).click();
  await expect(table.getByRole("row", { name: /^(People )?Groups/ })).toHaveCount(0);
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "CSV" }).click();
  const lines = (await readFile(await (await download).path(), "utf8")).trim().split("\r\n");
  expect(lines).toHaveLength(permissions.length + 1);
  expect(lines[0]).toContain("Matrix lead");
  await expectFitsPhone(page);
});

test("who can do something is listed by role, group and place, and the least is said that would let somebody", async ({
  page,
  gatehouse,
}) => {
  const api = adminApi(gatehouse);
  const role = await api.call<{ id: string }>("POST", "/roles", {
    role_name: "Statement closer",
    permissions: ["api.statements.write"],
  });
  const group = await api.call<{ id: string }>("POST", "/groups", { name: "Book keepers" });
  await api.call("POST", `/groups/${group.id}/roles`, { role_id: role.id });
  await page.goto("/roles/who-can?permission=api.statements.write");
  await expect(
    page.getByText("Close months: what the statement of a closed month says never changes.").last(),
  ).toBeVisible();
  await expect(page.getByRole("row", { name: /Book keepers/ })).toContainText("Statement closer");
  await page.getByRole("searchbox", { name: "Search holders" }).fill("book");
  await expect(page.getByRole("row")).toHaveCount(2);
  await expectNoAxeViolations(page);
  await expectFitsPhone(page);
});
