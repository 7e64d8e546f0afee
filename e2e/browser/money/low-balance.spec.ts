import { adminApi } from "../../support/clients/admin-api";
import { callModel } from "../../support/clients/send";
import { expect, test } from "../../support/fixtures/test";
import { centModel } from "../../support/gateways/cent-model";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { openAsMember } from "../../support/pages/open-as-member";
import { signIn } from "../../support/pages/sign-in";

test.use({ scene: "low balance" });

test("a balance that runs low asks for a payment, one that is used up says so, and a payment ends both", async ({
  page,
  browser,
  gatehouse,
}) => {
  const api = adminApi(gatehouse);
  const price = { input_per_1m: "0", output_per_1m: "1000000" };
  await api.createModel({ ...centModel, id: "dollar-a-word", price });
  const { id } = await api.createProject("Spender");
  const { value } = await api.createKey(id, "web");
  const spend = (content: string) => callModel(gatehouse, value, "dollar-a-word", { content });
  await spend("one two three four five six seven");
  await signIn(page, gatehouse);
  const low = page.getByText("The balance is running low");
  // Calls are summed within a few seconds.
  await expect(async () => {
    await page.goto("/balance");
    await expect(low).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await expect(
    page.getByText(/^Balance lasts until .* At the pace of the last day: 10 hours\./),
  ).toBeVisible();
  await expectNoAxeViolations(page);

  const other = await browser.newContext({ baseURL: gatehouse.consoleUrl });
  await openAsMember(other, gatehouse, { email: "rob@example.com", name: "Rob", role: "reader" });
  const reading = await other.newPage();
  await reading.goto("/balance");
  await expect(reading.getByText("The balance is running low")).toBeVisible();
  await expect(reading.getByRole("button", { name: "Record payment" })).toHaveCount(0);
  await other.close();

  await spend("one two three");
  await expect(page.getByText("The balance is used up")).toBeVisible({ timeout: 15_000 });
  await expect(low).toHaveCount(0);
  await expectNoAxeViolations(page);
  await page.goto("/");
  await expect(page.getByRole("heading", { name: "Balance is used up", level: 1 })).toBeVisible();
  await page.goto("/balance");
  await expect(page.getByText("The balance is used up")).toBeVisible();
  await page.getByRole("button", { name: "Record payment" }).last().click();
  await page.getByLabel("Amount").fill("1,000");
  await page.getByRole("dialog").getByRole("button", { name: "Record payment" }).click();
  await expect(page.getByText("It can be spent now.")).toBeVisible();
  await expect(page.getByText("The balance is used up")).toHaveCount(0);
  await expect(low).toHaveCount(0);
});
