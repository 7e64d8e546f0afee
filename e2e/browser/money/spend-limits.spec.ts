import { adminApi } from "../../support/clients/admin-api";
import { fireSpendAlert } from "../../support/clients/fire-alert";
import { expect, test } from "../../support/fixtures/test";
import { expectAccessibleOnPhone } from "../../support/pages/expect-accessible";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { openAsMember } from "../../support/pages/open-as-member";
import { signIn } from "../../support/pages/sign-in";

test.use({ scene: "spend-limits" });

test("a month’s limit is set, changed after another member's change, and removed", async ({
  page,
  gatehouse,
}) => {
  const { call } = adminApi(gatehouse);
  await signIn(page, gatehouse);
  await page.goto("/spend-limits");
  await expect(page.getByText("No spend limit")).toBeVisible();
  await expectNoAxeViolations(page);
  await page.getByRole("button", { name: "Set a limit" }).click();
  const amount = page.getByLabel("Limit for a month");
  await amount.fill("12.345");
  await page.keyboard.press("Enter");
  await expect(amount).toHaveAttribute("aria-invalid", "true");
  await expect(amount).toHaveValue("12.345");
  await amount.fill("1,000");
  await expectNoAxeViolations(page);
  await page.keyboard.press("Enter");
  await expect(page.getByText("1,000.00 USD")).toBeVisible();
  await expect(page.getByText("Within the limit")).toBeVisible();
  await expectNoAxeViolations(page);

  await page.getByRole("button", { name: "Change limit" }).click();
  await amount.fill("2000");
  await call("POST", "/spend_limit", { currency: "USD", interval: "month", threshold_amount: 300_000 });
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog").last()).toContainText("3,000.00 USD");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Discard" }).click();
  await expect(page.getByText("3,000.00 USD")).toBeVisible();

  await page.getByRole("button", { name: "Remove limit" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove limit" }).click();
  await expect(page.getByText("No spend limit")).toBeVisible();
});

test("a limit that another member removes meanwhile can be set again from what was typed", async ({
  page,
  gatehouse,
}) => {
  const { call, createProject } = adminApi(gatehouse);
  const { id } = await createProject("Storefront");
  const limit = `/projects/${id}/spend_limit`;
  await call("POST", limit, { currency: "USD", interval: "month", threshold_amount: 50_000 });
  await signIn(page, gatehouse);
  await page.goto(`/projects/${id}/spend`);
  await page.getByRole("button", { name: "Change limit" }).click();
  await page.getByLabel("Limit for a month").fill("2000");
  await call("DELETE", limit);
  const save = page.getByRole("button", { name: "Save limit" });
  await save.click();
  const removed = page.getByText("Someone removed this limit while you were editing.");
  await expect(removed).toBeVisible();
  await expectAccessibleOnPhone(page);
  // Nor does it replace a limit that was set since then.
  await call("POST", limit, { currency: "USD", interval: "month", threshold_amount: 70_000 });
  await save.click();
  const question = page.getByRole("dialog", { name: /^Someone else saved this/ });
  await expect(question).toContainText("700.00 USD");
  await question.getByRole("button", { name: "Keep editing" }).click();
  await call("DELETE", limit);
  await save.click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page.getByText("2,000.00 USD")).toBeVisible();
});

test("an alert is created by the keyboard, changed and deleted; a wrong address is named and kept", async ({
  page,
  gatehouse,
}) => {
  const { id } = await adminApi(gatehouse).createProject("Checkout");
  await signIn(page, gatehouse);
  await page.goto(`/projects/${id}/spend`);
  await page.getByRole("button", { name: "Create alert" }).press("Enter");
  await page.getByLabel("Threshold").fill("400");
  await page.getByLabel("Recipients").fill("finance@example.com, nobody");
  await page.getByRole("dialog").getByRole("button", { name: "Create alert" }).click();
  await expect(page.getByRole("dialog")).toContainText("“nobody” is not an email address");
  await expect(page.getByLabel("Recipients")).toHaveValue("finance@example.com, nobody");
  await expectNoAxeViolations(page);
  await page.getByLabel("Recipients").fill("finance@example.com");
  await page.getByRole("dialog").getByRole("button", { name: "Create alert" }).click();
  const row = page.getByRole("row", { name: /400\.00/ });
  await expect(row).toContainText("finance@example.com");

  await row.getByRole("button", { name: "Change the alert at 400.00" }).click();
  await page.getByLabel("Subject prefix").fill("[production]");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog")).toBeHidden();
  await row.getByRole("button", { name: "Delete the alert at 400.00" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete alert" }).click();
  await expect(page.getByText("No spend alerts yet")).toBeVisible();
  await expectNoAxeViolations(page);
});

test("a fired alert is listed with its project and the state of its callback", async ({
  page,
  gatehouse,
}) => {
  const { id } = await adminApi(gatehouse).createProject("Research");
  await fireSpendAlert(id, gatehouse);
  await signIn(page, gatehouse);
  await page.goto("/spend-limits");
  const fired = page.getByRole("table", { name: "Fired alerts, newest first" });
  await expect(fired.getByRole("row", { name: /Research/ })).toContainText("no callback is configured");
  await expectAccessibleOnPhone(page);
});

test("finance sets spend limits, and a tester sees which permission is missing", async ({
  page,
  context,
  gatehouse,
}) => {
  await openAsMember(context, gatehouse, { email: "fin@example.com", name: "Fin", role: "finance" });
  await page.goto("/spend-limits");
  await expect(page.getByRole("button", { name: /limit$/ }).first()).toBeVisible();
  await openAsMember(context, gatehouse, { email: "tes@example.com", name: "Tes", role: "prompt_tester" });
  await page.goto("/spend-limits");
  await expect(page.locator("#main")).toContainText("api.spend_limits.read");
  await expect(page.getByRole("link", { name: "Spend limits" })).toHaveCount(0);
});
