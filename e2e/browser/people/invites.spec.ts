import type { Locator, Page, Request } from "@playwright/test";
import type { Invite } from "@/lib/contract/operations/people/invites";
import { adminApi } from "../../support/clients/admin-api";
import { joinMember } from "../../support/clients/join-member";
import { expect, test } from "../../support/fixtures/test";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { signIn } from "../../support/pages/sign-in";
import { runScript } from "../../support/programs/run-script";

test.use({ scene: "invites" });

const inviteButton = (place: Page | Locator) => place.getByRole("button", { name: "Invite member" });
const inviteTable = (page: Page) => page.getByRole("table", { name: "Pending invitations" });

async function openDialog(page: Page): Promise<Locator> {
  await page.goto("/members");
  await inviteButton(page).click();
  return page.getByRole("dialog", { name: "Invite member" });
}

test("an address that is taken is said at the address, and nothing chosen is lost", async ({
  page,
  gatehouse,
}) => {
  await joinMember(gatehouse, "bea@example.com", { name: "Bea" });
  const other = await adminApi(gatehouse).createProject("Second project");
  await signIn(page, gatehouse);
  const dialog = await openDialog(page);
  await dialog.getByLabel("Email").fill("Bea@example.com");
  await dialog.getByRole("radio", { name: /^Finance/ }).check();
  await dialog.getByRole("button", { name: "Leave out Default project" }).click();
  await dialog.getByRole("button", { name: "Add a project" }).click();
  await page.getByRole("menuitem", { name: "Second project" }).click();
  await dialog.getByRole("combobox", { name: "Second project" }).selectOption({ label: "Project viewer" });
  await expectNoAxeViolations(page);
  await inviteButton(dialog).click();
  const email = dialog.getByLabel("Email");
  await expect(email).toHaveAccessibleDescription(/bea@example.com belongs to a member already/);
  await expect(email).toBeFocused();
  await expect(email).toHaveValue("Bea@example.com");
  await expect(dialog.getByRole("radio", { name: /^Finance/ })).toBeChecked();
  await expect(dialog.getByRole("combobox", { name: "Second project" })).toHaveValue("role_project_viewer");
  await expectNoAxeViolations(page);

  await email.fill("bob@example.com");
  await inviteButton(dialog).click();
  await expect(page.getByRole("dialog", { name: "bob@example.com is invited" })).toBeVisible();
  const { data } = await adminApi(gatehouse).call<{ data: Invite[] }>("GET", "/invites");
  expect(data.find((invite) => invite.email === "bob@example.com")).toMatchObject({
    role: "finance",
    projects: [{ id: other.id, role: "viewer" }],
  });
});

test("refuses an invitation beyond the inviter's own rights, before it is sent and at the role", async ({
  page,
  gatehouse,
}) => {
  const { call } = adminApi(gatehouse);
  const key = await call<{ value: string }>("POST", "/admin_api_keys", { name: "helper", role: "admin" });
  const { id } = await call<{ id: string }>("POST", "/roles", {
    role_name: "Grows",
    permissions: ["api.models.read"],
  });
  await signIn(page, gatehouse, key.value);
  const dialog = await openDialog(page);
  const owner = dialog.getByRole("radio", { name: /^Owner/ });
  await expect(owner).toBeDisabled();
  await expect(owner).toHaveAccessibleName(/it includes api.payments.write, which you don’t hold/);
  await dialog.getByRole("radio", { name: /^Grows/ }).check();
  await dialog.getByLabel("Email").fill("cyd@example.com");
  await call("POST", `/roles/${id}`, { permissions: ["api.models.read", "api.payments.write"] });
  await inviteButton(dialog).click();
  const group = dialog.getByRole("group", { name: /^Role in the organization/ });
  await expect(group).toHaveAccessibleDescription(/You can give or take only permissions that you hold/);
  await expect(dialog.getByLabel("Email")).toHaveValue("cyd@example.com");
  await expectNoAxeViolations(page);
});

test("an invitation is withdrawn after a question; one that ran out is sent again as it was", async ({
  page,
  gatehouse,
}) => {
  const { call } = adminApi(gatehouse);
  const invite = (email: string) => call<Invite>("POST", "/invites", { email, role: "finance" });
  await invite("gone@example.com");
  await invite("late@example.com");
  runScript("expire-invite", gatehouse.dataFolder, "late@example.com");
  await signIn(page, gatehouse);
  await page.goto("/members");
  const gone = inviteTable(page).getByRole("row", { name: /gone@example.com/ });
  await gone.getByRole("button", { name: "Withdraw the invitation of gone@example.com" }).click();
  await expectNoAxeViolations(page);
  await page.getByRole("button", { name: "Withdraw invitation" }).click();
  await expect(gone).toHaveCount(0);

  const late = inviteTable(page).getByRole("row", { name: /late@example.com/ });
  await expect(late).toContainText("expired");
  await expectNoAxeViolations(page);
  await late.getByRole("button", { name: "Invite again" }).click();
  const dialog = page.getByRole("dialog", { name: "Invite member" });
  await expect(dialog.getByLabel("Email")).toHaveValue("late@example.com");
  await expect(dialog.getByRole("radio", { name: /^Finance/ })).toBeChecked();
  await expect(dialog.getByRole("combobox", { name: "Default project" })).toHaveValue("role_project_member");
  await inviteButton(dialog).click();
  await page.getByRole("button", { name: "I have copied it" }).click();
  await expect(late).toHaveCount(1);
  await expect(late).not.toContainText("expired");
});

test("a second link in the same tab shows its own invitation, while the first is still looked up", async ({
  page,
  gatehouse,
}) => {
  const { call } = adminApi(gatehouse);
  const invite = (email: string) =>
    call<{ token: string }>("POST", "/invites", { email, role: "reader", projects: [] });
  const [first, second] = [await invite("first@example.com"), await invite("second@example.com")];
  let release = () => {};
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  const isFirst = (request: Request) => request.postData()?.includes(first.token) === true;
  await page.route("**/invite", async (route) => {
    if (isFirst(route.request())) await isReleased;
    await route.continue();
  });
  const asked = page.waitForRequest(isFirst);
  await page.goto(`/invite#token=${first.token}`);
  await asked;
  await page.evaluate((token) => location.assign(`#token=${token}`), second.token);
  await expect(page.getByText("second@example.com")).toBeVisible();
  release();
  await page.unrouteAll({ behavior: "wait" });
  await expect(page.getByText("second@example.com")).toBeVisible();
  await expect(page.getByText("first@example.com")).toHaveCount(0);
});
