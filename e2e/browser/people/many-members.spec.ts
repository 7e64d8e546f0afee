import { adminApi } from "../../support/clients/admin-api";
import { joinMember } from "../../support/clients/join-member";
import { expect, test } from "../../support/fixtures/test";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { expectFitsPhone } from "../../support/pages/expect-no-sideways-scroll";
import { signIn } from "../../support/pages/sign-in";

test.use({ scene: "many-members" });

test("several members are changed at once, after what it does to each was shown", async ({
  page,
  gatehouse,
}) => {
  const api = adminApi(gatehouse);
  const one = await joinMember(gatehouse, "one@example.com", { name: "One", role: "reader" });
  const two = await joinMember(gatehouse, "two@example.com", { name: "Two", role: "finance" });
  await joinMember(gatehouse, "three@example.com", { name: "Three", role: "reader" });
  const group = await api.call<{ id: string }>("POST", "/groups", { name: "Night shift" });
  await api.call("POST", `/groups/${group.id}/users`, { user_id: one.id });
  await signIn(page, gatehouse);
  await page.goto("/members");
  await page.getByRole("checkbox", { name: "Select One" }).check();
  await page.getByRole("checkbox", { name: "Select Two" }).check();
  const bar = page.getByRole("toolbar", { name: "Actions for selected members" });
  await expect(bar).toContainText("2 members selected");
  await expectNoAxeViolations(page);
  await bar.getByRole("button", { name: "Change role" }).click();
  const dialog = page.getByRole("dialog", { name: "Change role: 2 members" });
  await dialog.getByLabel("Role").selectOption("Finance");
  await expect(dialog.getByRole("region", { name: "Changed" })).toContainText("1 of 2");
  await expect(dialog.getByText("stays as it is")).toBeVisible();
  await expectNoAxeViolations(page);
  await dialog.getByRole("button", { name: "Change 1 member" }).click();
  await expect(dialog).toBeHidden();
  await expect(bar).toBeHidden();
  for (const { id } of [one, two])
    expect(await api.call("GET", `/users/${id}`)).toMatchObject({ role: "finance" });

  await page.getByRole("checkbox", { name: "Select all shown rows" }).check();
  await bar.getByRole("button", { name: "Add to a group" }).click();
  const joining = page.getByRole("dialog", { name: "Add to a group: 3 members" });
  await joining.getByRole("button", { name: "Group" }).click();
  await page.getByRole("menuitemradio", { name: "Night shift" }).click();
  await joining.getByRole("button", { name: "Change 2 members" }).click();
  await expect(joining).toBeHidden();
  const { data } = await api.call<{ data: unknown[] }>("GET", `/groups/${group.id}/users`);
  expect(data).toHaveLength(3);
  await expectFitsPhone(page);
});

test("nobody is changed where one may not be", async ({ page, gatehouse }) => {
  await joinMember(gatehouse, "only@example.com", { name: "Only Owner", role: "owner" });
  await joinMember(gatehouse, "beside@example.com", { name: "Beside", role: "reader" });
  await signIn(page, gatehouse);
  await page.goto("/members");
  await page.getByRole("checkbox", { name: "Select Only Owner" }).check();
  await page.getByRole("checkbox", { name: "Select Beside" }).check();
  await page.getByRole("button", { name: "Remove", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Remove: 2 members" });
  await expect(dialog).toContainText("Refused: nobody is changed");
  await expect(dialog).toContainText("The organization must keep an Owner.");
  await expect(dialog.getByRole("button", { name: "Remove 2 members" })).toBeDisabled();
});
