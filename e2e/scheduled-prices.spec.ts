import { adminApi } from "./support/admin-api";
import { expectNoAxeViolations } from "./support/expect-no-axe-violations";
import { expectNoSidewaysScroll } from "./support/expect-no-sideways-scroll";
import { signIn } from "./support/sign-in";
import { expect, test } from "./support/test";

test.use({ scene: "scheduled-prices" });

test("a price is scheduled, seen beside those before it, and taken back", async ({ page, gatehouse }) => {
  const { call } = adminApi(gatehouse);
  await call("POST", "/models/sandbox-echo", { rate: "0.3" });
  await signIn(page, gatehouse);
  await page.goto("/models/sandbox-echo");
  const history = page.getByRole("region", { name: "Price history" });
  await expect(history.getByText("rate 0.30")).toBeVisible();
  await expect(history.getByRole("link", { name: "First admin key" })).toBeVisible();
  const scheduled = page.getByRole("region", { name: "Scheduled prices" });
  await expect(scheduled.getByText("No change of the price is scheduled.")).toBeVisible();
  await expectNoAxeViolations(page);

  await scheduled.getByRole("button", { name: "Schedule a price" }).click();
  const dialog = page.getByRole("dialog", { name: "Schedule a price of sandbox-echo" });
  await expectNoAxeViolations(page);
  await dialog.getByLabel("Takes effect").fill("2020-01-01T09:00");
  await dialog.getByRole("button", { name: "Schedule price" }).click();
  await expect(dialog.getByText("Takes effect must be in the future.")).toBeVisible();
  await dialog.getByLabel("Takes effect").fill("2100-01-01T09:00");
  await dialog.getByRole("button", { name: "Schedule price" }).click();
  await expect(
    dialog.getByText("Change the model rate or a price: these are the present ones."),
  ).toBeVisible();
  await dialog.getByLabel("Model rate").fill("0.4");
  await dialog.getByRole("button", { name: "Schedule price" }).click();
  await expect(dialog).toBeHidden();
  const row = scheduled.getByRole("row").filter({ hasText: "rate 0.40" });
  await expect(row).toContainText("1 Jan 2100");
  await expect(page.getByLabel("Model rate", { exact: true })).toHaveValue("0.30");
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoSidewaysScroll(page);
  await expectNoAxeViolations(page);

  await scheduled.getByRole("button", { name: "Delete the scheduled price: rate 0.40" }).click();
  const question = page.getByRole("dialog", { name: "Delete the scheduled price?" });
  await expect(question).toContainText("won’t take effect");
  await question.getByRole("button", { name: "Delete scheduled price" }).click();
  await expect(scheduled.getByText("No change of the price is scheduled.")).toBeVisible();
});

test("shows scheduled prices without controls to members who may not change models", async ({
  page,
  gatehouse,
}) => {
  const { call } = adminApi(gatehouse);
  const draft = { effective_at: 4_102_444_800, unit_price: { unit: "image", amount: "0.05" } };
  await call("POST", "/models/sandbox-image/scheduled_prices", draft);
  const { value } = await call<{ value: string }>("POST", "/admin_api_keys", {
    name: "finance",
    role: "finance",
  });
  await signIn(page, gatehouse, value);
  await page.goto("/models/sandbox-image");
  await expect(
    page.getByRole("region", { name: "Scheduled prices" }).getByText("0.05 per image"),
  ).toBeVisible();
  await expect(page.getByRole("button", { name: "Schedule a price" })).toHaveCount(0);
  await expect(page.getByRole("button", { name: /^Delete the scheduled price/ })).toHaveCount(0);
  await expectNoAxeViolations(page);
});
