import { adminApi } from "../../support/clients/admin-api";
import { joinMember } from "../../support/clients/join-member";
import { createOrganizationClient } from "../../support/clients/organization-client";
import { expect, test } from "../../support/fixtures/test";
import { openAsMember } from "../../support/pages/open-as-member";

test.use({ scene: "contested-payment" });

test("an approval that a colleague has declined meanwhile records nothing and says so", async ({
  page,
  gatehouse,
}) => {
  const { call } = adminApi(gatehouse);
  const dee = await joinMember(gatehouse, "dee@example.com", { role: "owner" });
  await openAsMember(page.context(), gatehouse, { email: "eve@example.com", name: "Eve", role: "owner" });
  await call("POST", "/payment_approval", { above: "1000.00" });
  const payment = { amount: "5000.00", reference: "Contested" };
  const { body } = await createOrganizationClient(gatehouse.baseUrl)("POST", "/payments", payment, dee.token);
  await page.goto("/payments");
  const row = page.getByRole("row", { name: /Contested/ });
  await row.getByRole("button", { name: "Approve" }).click();
  await call("POST", `/pending_payments/${body.id}/decline`, { reason: "Not on the statement" });
  await page.getByRole("button", { name: "Approve payment" }).click();
  await expect(page.getByText(/was already declined/).first()).toBeVisible();
  await expect(row).toContainText("Declined");
  await expect(row.getByRole("button")).toHaveCount(0);
  const { data } = await call<{ data: object[] }>("GET", "/ledger?reference=Contested");
  expect(data).toEqual([]);
});
