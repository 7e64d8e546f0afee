import { adminApi } from "../../support/clients/admin-api";
import { expect, test } from "../../support/fixtures/test";
import { expectAccessible } from "../../support/pages/expect-accessible";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { signIn } from "../../support/pages/sign-in";

test.use({ scene: "configuration" });

test("a file is planned, applied and undone; what was changed here is kept or taken back, and a removal is ticked", async ({
  page,
  gatehouse,
}) => {
  const api = adminApi(gatehouse);
  await api.call("POST", "/roles", { role_name: "Old", permissions: ["api.users.read"] });
  await signIn(page, gatehouse);
  await page.goto("/settings/configuration");
  await expect(page.getByRole("heading", { name: "Configuration", level: 1 })).toBeVisible();
  await expectNoAxeViolations(page);
  const field = page.getByLabel("Configuration file", { exact: true });
  const plan = async (text: string) => {
    await field.fill(text);
    await page.getByRole("button", { name: "Preview changes" }).click();
  };
  await plan("rolls: []");
  await expect(page.getByText("the file has no such field: rolls")).toBeVisible();
  await expect(field).toHaveValue("rolls: []");

  const limits = (amount: string) =>
    `organization: { spend_limit: "${amount}" }\nroles:\n  - { name: Lead, permissions: [api.users.read] }\n`;
  await plan(limits("500.00"));
  await expect(page.getByRole("heading", { name: "The file has 3 changes", level: 1 })).toBeVisible();
  await expect(page.getByText("1 removal isn’t ticked and stays.")).toBeVisible();
  await page.getByRole("checkbox", { name: "Remove" }).check();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Apply 3 changes" }).click();
  await expect(page.getByText("3 changes applied").first()).toBeVisible();
  const roles = async () =>
    (await api.call<{ data: { name: string; predefined_role: boolean }[] }>("GET", "/roles")).data
      .filter(({ predefined_role: isPredefined }) => !isPredefined)
      .map(({ name }) => name);
  expect(await roles()).toEqual(["Lead"]);

  const limit = { currency: "USD", interval: "month", threshold_amount: 60_000 };
  await api.call("POST", "/spend_limit", limit);
  await plan(limits("500.00"));
  await expect(
    page.getByRole("heading", { name: "The file has no changes, and 1 was made here", level: 1 }),
  ).toBeVisible();
  await page.getByRole("button", { name: "Back to 500.00" }).click();
  await api.call("POST", "/spend_limit", { ...limit, threshold_amount: 70_000 });
  await page.getByRole("button", { name: "Apply 1 change" }).click();
  await expect(page.getByText("Something has changed since this plan was made")).toBeVisible();
  await page.getByRole("alert").getByRole("button", { name: "Plan again" }).click();
  await page.getByRole("button", { name: "Back to 500.00" }).click();
  await page.getByRole("button", { name: "Apply 1 change" }).click();
  await expect(page.getByText("1 change applied").first()).toBeVisible();
  const amount = async () =>
    (await api.call<{ threshold_amount: number }>("GET", "/spend_limit")).threshold_amount;
  expect(await amount()).toBe(50_000);
  await page.getByRole("button", { name: "Undo" }).first().click();
  await expect(page.getByText("1 change undone.")).toBeVisible();
  expect(await amount()).toBe(70_000);
  await expectNoAxeViolations(page);
});
