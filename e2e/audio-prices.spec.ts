import { adminApi } from "./support/admin-api";
import { expectNoAxeViolations } from "./support/expect-no-axe-violations";
import { expectNoSidewaysScroll } from "./support/expect-no-sideways-scroll";
import { signIn } from "./support/sign-in";
import { expect, test } from "./support/test";

test.use({ scene: "audio-prices" });
test.beforeEach(({ page, gatehouse }) => signIn(page, gatehouse));

test("a chat model's tokens of audio get a price of their own, which can be removed again", async ({
  page,
  gatehouse,
}) => {
  await page.goto("/models/sandbox-echo");
  const [input, output] = [page.getByLabel("Audio input price"), page.getByLabel("Audio output price")];
  await input.fill("40");
  await page.getByRole("button", { name: /^Save/ }).click();
  await expect(page.getByText("Audio output price is required.")).toBeVisible();
  await output.fill("80");
  await expectNoAxeViolations(page);
  await page.getByRole("button", { name: /^Save/ }).click();
  await expect
    .poll(() => adminApi(gatehouse).call("GET", "/models/sandbox-echo"))
    .toMatchObject({ audio_price: { input_per_1m: "40.00", output_per_1m: "80.00" }, rate: "0.50" });

  await page.goto("/models");
  const row = page.getByRole("row", { name: /sandbox-echo/ });
  await expect(row.getByText("audio")).toHaveCount(2);
  await expect(row.locator("data[value='80.00']")).toBeVisible();
  await expectNoAxeViolations(page);

  await page.goto("/models/sandbox-echo");
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoSidewaysScroll(page);
  await input.fill("");
  await output.fill("");
  await page.getByRole("button", { name: /^Save/ }).click();
  await expect
    .poll(() => adminApi(gatehouse).call("GET", "/models/sandbox-echo"))
    .toMatchObject({ audio_price: null });
});

test("a model that neither hears nor speaks has no such prices", async ({ page }) => {
  await page.goto("/models/sandbox-embedding");
  await expect(page.getByLabel("Input list price")).toBeVisible();
  await expect(page.getByLabel("Audio input price")).toHaveCount(0);
});
