import { adminApi } from "../../support/clients/admin-api";
import { expect, test } from "../../support/fixtures/test";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { expectFitsPhone, expectNoSidewaysScroll } from "../../support/pages/expect-no-sideways-scroll";
import { signIn } from "../../support/pages/sign-in";
import { PHONE } from "../../support/pages/viewports";
import { writeLastMonth } from "../../support/stored-data/past-month";

test.use({ scene: "scheduled-prices" });

test("a price is scheduled, seen beside those before it, and taken back", async ({ page, gatehouse }) => {
  const { call } = adminApi(gatehouse);
  await call("POST", "/models/sandbox-echo", { rate: "0.3" });
  await signIn(page, gatehouse);
  await page.goto("/models/sandbox-echo");
  const history = page.getByRole("region", { name: "Price history" });
  await expect(history.getByText("rate 0.30")).toBeVisible();
  await expect(history.getByRole("link", { name: "First admin key" })).toBeVisible();
  await expect(history.getByRole("row").last()).toContainText(/before.*rate 0\.50/);
  const scheduled = page.getByRole("region", { name: "Scheduled prices" });
  await expect(scheduled.getByText("No price change is scheduled.")).toBeVisible();
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
  await page.setViewportSize(PHONE);
  await expectNoSidewaysScroll(page);
  await expectNoAxeViolations(page);

  await scheduled.getByRole("button", { name: "Delete the scheduled price: rate 0.40" }).click();
  const question = page.getByRole("dialog", { name: "Delete the scheduled price?" });
  await expect(question).toContainText("won’t take effect");
  await question.getByRole("button", { name: "Delete scheduled price" }).click();
  await expect(scheduled.getByText("No price change is scheduled.")).toBeVisible();
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

const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;

test("a price that takes effect while its page is open is shown there, with its place in the history", async ({
  page,
  gatehouse,
}) => {
  const { call } = adminApi(gatehouse);
  await call("POST", "/models/sandbox-chat/scheduled_prices", { effective_at: inSeconds(5), rate: "0.15" });
  await signIn(page, gatehouse);
  await page.goto("/models/sandbox-chat");
  await expect(page.getByRole("region", { name: "Scheduled prices" })).toContainText("rate 0.15");
  await expect(page.getByText("No price change is scheduled.")).toBeVisible({ timeout: 20_000 });
  await expect(page.getByLabel("Model rate", { exact: true })).toHaveValue("0.15");
  await expect(page.getByRole("region", { name: "Price history" }).getByText("As scheduled")).toBeVisible();
});

test("a price that is no longer scheduled is not said to be deleted", async ({ page, gatehouse }) => {
  const { call } = adminApi(gatehouse);
  const path = "/models/sandbox-slow/scheduled_prices";
  const draft = { effective_at: 4_102_444_800, rate: "0.45" };
  const { id } = await call<{ id: string }>("POST", path, draft);
  await signIn(page, gatehouse);
  await page.goto("/models/sandbox-slow");
  await page.getByRole("button", { name: "Delete the scheduled price: rate 0.45" }).click();
  await call("DELETE", `${path}/${id}`);
  await page.getByRole("dialog").getByRole("button", { name: "Delete scheduled price" }).click();
  await expect(page.getByText("Nothing was deleted: rate 0.45 is no longer scheduled.").last()).toBeVisible();
  await expect(page.getByText("Scheduled price deleted")).toHaveCount(0);
  await expect(page.getByText("No price change is scheduled.")).toBeVisible();
  await expectNoAxeViolations(page);
});

test("schedules only what was typed, though another member changes the rate meanwhile", async ({
  page,
  gatehouse,
}) => {
  const { call } = adminApi(gatehouse);
  await page.clock.install();
  await signIn(page, gatehouse);
  await page.goto("/models/sandbox-cut");
  await page.getByRole("button", { name: "Schedule a price" }).click();
  const dialog = page.getByRole("dialog", { name: "Schedule a price of sandbox-cut" });
  await dialog.getByLabel("Takes effect").fill("2100-01-01T09:00");
  await dialog.getByLabel("Input list price").fill("3");
  await call("POST", "/models/sandbox-cut", { rate: "0.25" });
  await page.clock.fastForward(60_000);
  await page.evaluate(() => window.dispatchEvent(new Event("visibilitychange")));
  await dialog.getByRole("button", { name: "Schedule price" }).click();
  await expect(dialog).toBeHidden();
  // The page was not read again behind what was being typed, but is now.
  await expect(page.getByLabel("Model rate", { exact: true }).first()).toHaveValue("0.25");
  const { data } = await call<{ data: { rate?: string; price?: object }[] }>(
    "GET",
    "/models/sandbox-cut/scheduled_prices",
  );
  expect(data).toHaveLength(1);
  expect(data[0]?.rate ?? null).toBeNull();
  expect(data[0]?.price).toEqual({ input_per_1m: "3", output_per_1m: "2.00" });

  // Another change at the same minute is refused in words, at the field, and nothing that was typed is lost.
  await page.getByRole("button", { name: "Schedule a price" }).click();
  await dialog.getByLabel("Takes effect").fill("2100-01-01T09:00");
  await dialog.getByLabel("Model rate").fill("0.3");
  await dialog.getByRole("button", { name: "Schedule price" }).click();
  await expect(dialog.getByText("Another change of this model takes effect at that time")).toBeVisible();
  await expect(dialog.getByLabel("Model rate")).toHaveValue("0.3");
});

test("before a price is scheduled, each project's last month is shown at it", async ({ page, gatehouse }) => {
  const { id } = await adminApi(gatehouse).createProject("Scheduled for");
  writeLastMonth(gatehouse, id);
  await signIn(page, gatehouse);
  const row = page.getByRole("dialog").getByRole("row", { name: /^Scheduled for/ });
  // Calls are summed within a few seconds.
  await expect(async () => {
    await page.goto("/models/sandbox-chat");
    await page.getByRole("button", { name: "Schedule a price" }).click();
    await expect(row).toContainText("2.00", { timeout: 2_000 });
  }).toPass();
  const dialog = page.getByRole("dialog", { name: "Schedule a price of sandbox-chat" });
  await dialog.getByLabel("Model rate").fill("1");
  await dialog.getByLabel("Input list price").fill("10");
  await dialog.getByLabel("Output list price").fill("4.5");
  // 2,000,000 tokens in, 1,000,000 out.
  await expect(row).toContainText("≈ 24.50");
  await expectNoAxeViolations(page);
  await expectFitsPhone(page);
});
