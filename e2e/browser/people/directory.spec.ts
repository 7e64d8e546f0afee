import { adminApi } from "../../support/clients/admin-api";
import { oktaUser, openDirectory } from "../../support/clients/directory-client";
import { joinMember } from "../../support/clients/join-member";
import { createOrganizationClient } from "../../support/clients/organization-client";
import { expect, test } from "../../support/fixtures/test";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { expectNoSidewaysScroll } from "../../support/pages/expect-no-sideways-scroll";
import { signIn } from "../../support/pages/sign-in";
import { PHONE } from "../../support/pages/viewports";

test.use({ scene: "directory" });

test("a directory is connected by a token, and what it keeps is shown and decided", async ({
  page,
  gatehouse,
}) => {
  const { call, createProject, createKey } = adminApi(gatehouse);
  await signIn(page, gatehouse);
  await page.goto("/directory");
  await expect(page.getByText("No directory is connected")).toBeVisible();
  await expect(page.getByText("/scim/v2")).toBeVisible();
  await expectNoAxeViolations(page);
  await page.getByRole("button", { name: "Create token" }).press("Enter");
  await page.getByLabel("Name", { exact: true }).fill("Okta");
  await expectNoAxeViolations(page);
  await page.keyboard.press("Enter");
  const shown = page.getByRole("dialog", { name: "Token “Okta” created" });
  await expect(shown.getByText(/^gk_admin_/)).toBeVisible();
  await expectNoAxeViolations(page);
  await shown.getByRole("button", { name: "I have copied it" }).click();
  await expect(page.getByRole("table", { name: "Tokens of directories" })).toContainText("Okta");

  const project = await createProject("Checkout");
  const ada = await joinMember(gatehouse, "ada@example.com", { name: "Ada", role: "owner" });
  await joinMember(gatehouse, "owner@example.com", { name: "Olga", role: "owner" });
  const ask = createOrganizationClient(gatehouse.baseUrl);
  for (const name of ["nightly", "old script"])
    await ask("POST", `/projects/${project.id}/api_keys`, { name }, ada.token);
  await createKey(project.id, "of the admin");
  const directory = await openDirectory({
    baseUrl: gatehouse.baseUrl,
    admin: (method, path, body) => call(method, path.replace("/organization", ""), body),
  });
  await directory.ask(
    "PUT",
    `/Users/${ada.id}`,
    oktaUser("ada@example.com", { displayName: "Ada", active: false }),
  );
  await directory.ask("POST", "/Groups", { displayName: "Data science", members: [{ value: ada.id }] });

  await page.goto("/");
  const concern = page.getByRole("listitem").filter({ hasText: "2 keys wait for a decision" });
  await expect(concern).toContainText("Made by Ada, who left");
  await concern.getByRole("link", { name: /^Keep or revoke/ }).click();
  await expect(page.getByRole("row", { name: /Data science/ })).toContainText("None yet");
  await expectNoAxeViolations(page);
  await page.getByRole("button", { name: "Keep key “nightly”" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Keep key" }).click();
  await expect(page.getByText("Key “nightly” kept")).toBeVisible();
  await page.getByRole("button", { name: "Revoke key “old script”" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke key" }).click();
  await expect(page.getByText("None: everybody who made a key")).toBeVisible();
  await page.setViewportSize(PHONE);
  await expectNoSidewaysScroll(page);

  await page.goto("/members?deactivated=true");
  await expect(page.getByRole("row", { name: /Ada/ })).toContainText("deactivated");
  await page.goto(`/members/${ada.id}`);
  await expect(page.getByText(/kept by the directory/)).toBeVisible();
  await expectNoAxeViolations(page);
});
