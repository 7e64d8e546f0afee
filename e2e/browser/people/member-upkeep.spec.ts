import { adminApi } from "../../support/clients/admin-api";
import { joinMember, PASSWORD } from "../../support/clients/join-member";
import { computeOneTimeCode } from "../../support/clients/one-time-code";
import { createOrganizationClient } from "../../support/clients/organization-client";
import { expect, test } from "../../support/fixtures/test";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { expectNoSidewaysScroll } from "../../support/pages/expect-no-sideways-scroll";
import { openAsMember } from "../../support/pages/open-as-member";
import { signIn } from "../../support/pages/sign-in";
import { PHONE } from "../../support/pages/viewports";

test.use({ scene: "member-upkeep" });

test("the last owner stays", async ({ page, gatehouse }) => {
  const { id } = await joinMember(gatehouse, "own@example.com", { name: "Olga Owner", role: "owner" });
  await signIn(page, gatehouse);
  await page.goto(`/members/${id}`);
  await page.getByRole("button", { name: "Remove member" }).click();
  const question = page.getByRole("dialog", { name: "Remove Olga Owner from the organization?" });
  await question.getByRole("button", { name: "Remove member" }).click();
  const refusal = question.getByRole("alert");
  await expect(refusal).toHaveText("The organization must keep an Owner. Make somebody else an Owner first.");
  await expectNoAxeViolations(page);
  await question.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Change role" }).click();
  const change = page.getByRole("dialog", { name: "Change the role of Olga Owner" });
  await change.getByRole("radio", { name: /^Reader/ }).check();
  await change.getByRole("button", { name: "Change role" }).click();
  const group = change.getByRole("group", { name: /^Role in the organization/ });
  await expect(group).toHaveAccessibleDescription(/The organization must keep an Owner/);
  await expect(change.getByRole("radio", { name: /^Reader/ })).toBeFocused();
  await expectNoAxeViolations(page);
});

test("an administrator turns off two-factor sign-in for a member who lost the app; a member without it is shown as having none", async ({
  page,
  gatehouse,
}) => {
  const ask = createOrganizationClient(gatehouse.baseUrl);
  const { id, token: session } = await joinMember(gatehouse, "lost@example.com", { name: "Lou" });
  const enter = () => ask("POST", "/sign_in", { email: "lost@example.com", password: PASSWORD });
  const draft = await ask("POST", "/me/two_factor", { password: PASSWORD }, session);
  await ask(
    "POST",
    "/me/two_factor/confirm",
    { code: computeOneTimeCode(String(draft.body.otpauth_uri)) },
    session,
  );
  expect((await enter()).body.object).toBe("organization.sign_in_challenge");

  await signIn(page, gatehouse);
  await page.goto(`/members/${id}`);
  await page.getByRole("button", { name: "Turn off two-factor" }).click();
  const question = page.getByRole("dialog", { name: "Turn off two-factor sign-in of Lou?" });
  await expectNoAxeViolations(page);
  await question.getByRole("button", { name: "Turn off" }).click();
  await expect(question).toBeHidden();
  expect((await enter()).body.object).toBe("organization.session");

  await page.getByRole("button", { name: "Turn off two-factor" }).click();
  await question.getByRole("button", { name: "Turn off" }).click();
  const refusal = question.getByRole("alert");
  await expect(refusal).toHaveText("Two-factor sign-in is not on for lost@example.com.");
});

test("on their own page a member keeps their session, and a role they give up disappears at once", async ({
  page,
  context,
  gatehouse,
}) => {
  await openAsMember(context, gatehouse, { email: "adi@example.com", name: "Adi", role: "admin" });
  await page.goto("/members?q=adi");
  await expect(page.getByRole("row", { name: /Adi/ })).toContainText("you");
  await page.getByRole("link", { name: /^Adi/ }).click();
  await expect(page.getByRole("list", { name: "Open sessions" })).toContainText("this session");
  await expect(page.getByRole("button", { name: /^End/ })).toHaveCount(0);
  await expect(page.getByRole("link", { name: "Open your account" })).toBeVisible();
  await expectNoAxeViolations(page);
  await page.getByRole("button", { name: "Change role" }).click();
  const change = page.getByRole("dialog", { name: "Change the role of Adi" });
  await expect(change.getByRole("radio", { name: /^Owner/ })).toBeDisabled();
  await change.getByRole("radio", { name: /^Reader/ }).check();
  await change.getByRole("button", { name: "Change role" }).click();
  await expect(page.getByText("You can’t change yourself")).toBeVisible();
  await expect(page.getByRole("button", { name: /^(Change|Remove)/ })).toHaveCount(0);
});

test("a project’s own role is shown with its permissions there, on a phone too", async ({
  page,
  gatehouse,
}) => {
  const { createProject, createProjectRole, call } = adminApi(gatehouse);
  const { id: projectId } = await createProject("A project with a name that is as long as it may be");
  const role = await createProjectRole(projectId, "Key keeper", ["api.project_api_keys.write"]);
  const { id } = await joinMember(gatehouse, "kim@example.com", { name: "Kim", role: "prompt_tester" });
  await call("POST", `/projects/${projectId}/users`, { user_id: id, role: role.id });
  await signIn(page, gatehouse);
  await page.setViewportSize(PHONE);
  await page.goto(`/members/${id}`);
  const held = page.getByRole("listitem").filter({ hasText: "Key keeper" });
  await expect(held).toContainText("in A project with a name that is as long as it may be");
  await held.getByText("1 permission").click();
  await expect(
    held.getByText("Create, rename, limit, extend, rotate and delete a project's keys."),
  ).toBeVisible();
  await expectNoSidewaysScroll(page);
  await expectNoAxeViolations(page);
});
