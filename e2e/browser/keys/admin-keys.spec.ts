import { adminApi } from "../../support/clients/admin-api";
import { fetchWithKey } from "../../support/clients/send";
import { expect, test } from "../../support/fixtures/test";
import { expectAccessibleOnPhone } from "../../support/pages/expect-accessible";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { openAsMember } from "../../support/pages/open-as-member";
import { signIn } from "../../support/pages/sign-in";

test.use({ scene: "admin-keys" });

test("an admin key is created with a role, shown once, works, and is revoked", async ({
  page,
  gatehouse,
}) => {
  await signIn(page, gatehouse);
  await page.goto("/admin-keys");
  await expectNoAxeViolations(page);
  await page.getByRole("button", { name: "Create admin key" }).click();
  await page.getByLabel("Name", { exact: true }).fill("terraform");
  await page.getByRole("radio", { name: /^Reader/ }).check();
  await expectNoAxeViolations(page);
  await page.getByLabel("Name", { exact: true }).press("Enter");
  const shown = page.getByRole("dialog");
  await expect(shown).toContainText("Admin key “terraform” created");
  const key = (await shown.locator("code").first().textContent()) ?? "";
  const list = () => fetchWithKey(`${new URL(gatehouse.baseUrl).origin}/v1/organization/projects`, { key });
  expect((await list()).status).toBe(200);
  await page.getByRole("button", { name: "I have copied it" }).click();
  const row = page.getByRole("row", { name: /terraform/ });
  await expect(row).toContainText("Reader");

  await row.getByRole("button", { name: "Revoke admin key “terraform”" }).click();
  await expectNoAxeViolations(page);
  await page.getByRole("dialog").getByRole("button", { name: "Revoke admin key" }).click();
  await expect(row).toHaveCount(0);
  expect((await list()).status).toBe(401);

  await expectAccessibleOnPhone(page);
});

test("the owner's last key without an expiry can't be deleted, and the refusal explains why", async ({
  page,
  gatehouse,
}) => {
  await signIn(page, gatehouse);
  await page.goto("/admin-keys");
  await page
    .getByRole("button", { name: /^Revoke admin key/ })
    .first()
    .click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke admin key" }).click();
  await expect(page.getByRole("dialog").getByRole("alert")).toBeVisible();
  const { data } = await adminApi(gatehouse).call<{ data: unknown[] }>("GET", "/admin_api_keys");
  expect(data.length).toBeGreaterThan(0);
});

test("a reader sees the keys and no button, and a tester sees which permission is missing", async ({
  page,
  context,
  gatehouse,
}) => {
  await openAsMember(context, gatehouse, { email: "rea@example.com", name: "Rea", role: "reader" });
  await page.goto("/admin-keys");
  await expect(page.getByRole("table")).toBeVisible();
  await expect(page.getByRole("button", { name: /^(Create|Revoke) / })).toHaveCount(0);
  await openAsMember(context, gatehouse, { email: "tes@example.com", name: "Tes", role: "prompt_tester" });
  await page.goto("/admin-keys");
  await expect(page.locator("#main")).toContainText("api.admin_api_keys.read");
});
