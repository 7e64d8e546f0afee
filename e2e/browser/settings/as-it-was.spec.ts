import { adminApi } from "../../support/clients/admin-api";
import { expect, test } from "../../support/fixtures/test";
import { expectAccessible } from "../../support/pages/expect-accessible";
import { signIn } from "../../support/pages/sign-in";

test.use({ scene: "as-it-was" });

test("an event leads to what was set before it, which is compared with now and brought back as a plan", async ({
  page,
  gatehouse,
}) => {
  const api = adminApi(gatehouse);
  const limit = (amount: number) =>
    api.call("POST", "/spend_limit", { currency: "USD", interval: "month", threshold_amount: amount });
  const secondOf = async () =>
    (await api.call<{ data: { effective_at: number }[] }>("GET", "/audit_logs?limit=1")).data[0]
      ?.effective_at;
  await limit(50_000);
  const first = await secondOf();
  // A moment is a whole second: the next change belongs to another one.
  await expect(async () => expect(Math.floor(Date.now() / 1000)).toBeGreaterThan(first ?? 0)).toPass();
  await limit(90_000);
  const { id } = await api.call<{ id: string }>("POST", "/roles", {
    role_name: "Later",
    permissions: ["api.users.read"],
  });

  await signIn(page, gatehouse);
  await page.goto(`/audit-logs?resource_ids=${id}`);
  await page.getByRole("row").nth(1).getByRole("link").first().click();
  await page.getByRole("link", { name: "After this change" }).click();
  await expect(page.getByRole("heading", { name: "Nothing changed" })).toBeVisible();

  await page.goto(`/settings/configuration?source=past&at=${first}`);
  await expect(page.getByRole("heading", { name: "2 changes" })).toBeVisible();
  await expect(page.getByText("Per month 500.00 → 900.00")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Whole file" }).click();
  await expect(page.getByRole("region", { name: "Whole file" })).toContainText("500.00");
  await page.getByLabel("Compared with").selectOption("Another moment");
  await page.getByLabel("Until", { exact: true }).fill("2020-01-01T00:00:00");
  await page.getByRole("button", { name: "Show", exact: true }).click();
  await expect(page.getByLabel("Until", { exact: true })).toHaveAccessibleDescription(/must not be before/);
  await page.getByLabel("Compared with").selectOption("Now");
  await page.getByRole("button", { name: "Show", exact: true }).click();

  await page.getByRole("button", { name: "Restore" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Restoring makes 2 changes" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Apply 1 change" }).click();
  await expect(page.getByText("1 change applied")).toBeVisible();
  expect((await api.call<{ threshold_amount: number }>("GET", "/spend_limit")).threshold_amount).toBe(50_000);
  await expect(page.getByRole("heading", { name: "1 change", exact: true })).toBeVisible();
});
