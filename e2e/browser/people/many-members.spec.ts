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

test("members of a CSV are planned, and then invited and changed, with the links shown once", async ({
  page,
  gatehouse,
}) => {
  await joinMember(gatehouse, "four@example.com", { name: "Four", role: "reader" });
  await signIn(page, gatehouse);
  await page.goto("/members");
  await page.getByRole("link", { name: "Upload CSV" }).click();
  const field = page.getByLabel("Members as CSV", { exact: true });
  const plan = async (text: string) => {
    await field.fill(text);
    await page.getByRole("button", { name: "Preview changes" }).click();
  };
  await plan("email,role\nnobody,reader");
  await expect(field).toHaveAccessibleDescription(/line 2: "nobody" is not an email address/);
  await plan("email,role\nfour@example.com,finance\nfive@example.com,reader");
  await expect(page.getByRole("heading", { level: 1, name: "The file has 2 changes" })).toBeVisible();
  await expectNoAxeViolations(page);
  await page.getByRole("button", { name: "Apply 2 changes" }).click();
  await expect(page.getByRole("list", { name: "Links of invitations" })).toContainText("five@example.com");
  await expectNoAxeViolations(page);
  const { data } = await adminApi(gatehouse).call<{ data: { email: string; role: string }[] }>(
    "GET",
    "/users",
  );
  expect(data).toContainEqual(expect.objectContaining({ email: "four@example.com", role: "finance" }));
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
