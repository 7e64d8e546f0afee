import { adminApi } from "../../support/clients/admin-api";
import { expect, test } from "../../support/fixtures/test";
import { expectAccessibleOnPhone } from "../../support/pages/expect-accessible";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { signIn } from "../../support/pages/sign-in";

test.use({ scene: "calculator-batches" });

test("the calls of a mix that are sent in batches cost the batch rate, also in a link", async ({
  page,
  gatehouse,
}) => {
  await adminApi(gatehouse).call("POST", "/models/sandbox-echo", { batch_rate: "0.25" });
  await signIn(page, gatehouse);
  await page.goto("/calculator?model=sandbox-echo");
  const echo = page.getByRole("group", { name: "sandbox-echo" });
  await echo.getByLabel("Calls a day").fill("1,000");
  await echo.getByLabel("Tokens in").fill("1,000");
  await echo.getByLabel("Tokens out").fill("500");
  // 0.001 a call; half of them at half the rate.
  await expect(echo.locator("data[value='1.00']")).toBeVisible();
  const share = echo.getByLabel("Percent in batches");
  await share.fill("50");
  await expect(echo.locator("data[value='0.75']")).toBeVisible();
  await expect(echo.getByText("% of the calls in batches, at the rate 0.25")).toBeVisible();
  await share.fill("150");
  await expect(echo.getByText("Enter at most 100: it is a percentage.")).toBeVisible();
  await expect(page.getByText("The sum needs a cost on every line.")).toBeVisible();
  await expectNoAxeViolations(page);
  await share.fill("100");
  await expect(echo.locator("data[value='0.50']")).toBeVisible();
  await page.reload();
  await expect(share).toHaveValue("100");

  await page.getByRole("button", { name: "Model", exact: true }).last().click();
  await page.getByLabel("Model of this line").last().selectOption("sandbox-chat");
  const chat = page.getByRole("group", { name: "sandbox-chat" });
  await expect(chat.getByLabel("Percent in batches")).toHaveCount(0);
  await expectAccessibleOnPhone(page);
});
