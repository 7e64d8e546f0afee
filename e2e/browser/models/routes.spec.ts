import { adminApi } from "../../support/clients/admin-api";
import { fetchWithKey } from "../../support/clients/send";
import { expect, test } from "../../support/fixtures/test";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { expectNoSidewaysScroll } from "../../support/pages/expect-no-sideways-scroll";
import { signIn } from "../../support/pages/sign-in";
import { PHONE } from "../../support/pages/viewports";
import { createProjectKey } from "../../support/programs/create-project-key";
import { startWordProvider } from "../../support/servers/word-provider";

test.beforeEach(({ page, gatehouse }) => signIn(page, gatehouse));

test("a second route is added, moved beside the first and saved; a call's way is shown, and the save is undone", async ({
  page,
  gatehouse,
}) => {
  const provider = await startWordProvider(3);
  const { call, createProvider } = adminApi(gatehouse);
  await createProvider("words", provider.baseUrl);
  await createProvider("away", "http://127.0.0.1:9/v1");
  const price = { input_per_1m: "1", output_per_1m: "1" };
  const routes = [{ provider: "away", model: "one" }];
  await call("POST", "/models", { id: "org/routed", family: "chat", rate: "1", price, routes });

  await page.goto("/models/org%2Frouted");
  await page.getByRole("link", { name: "Groups, weights and failures" }).click();
  await expect(page.getByText("had no call in the last hour")).toBeVisible();
  await page.getByRole("button", { name: "Add route" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Provider", { exact: false }).first().selectOption("words");
  await dialog.getByRole("button", { name: "Add route" }).click();
  await expect(dialog.getByText("Name the model as the provider does.")).toBeVisible();
  await dialog.getByLabel("Model at the provider").fill("two");
  await expectNoAxeViolations(page);
  await dialog.getByRole("button", { name: "Add route" }).click();
  await expect(page.getByRole("region", { name: "Group 2" })).toContainText("two");
  await page.getByRole("button", { name: /^Save/ }).click();
  await expect(page.getByText("Saved 1 change")).toBeVisible();

  const key = await createProjectKey({
    url: new URL(gatehouse.baseUrl).origin,
    adminKey: gatehouse.adminKey,
  });
  const messages = [{ role: "user", content: "Hi" }];
  const body = { model: "org/routed", messages, stream: true };
  const reply = await fetchWithKey(`${gatehouse.baseUrl}/chat/completions`, { key, body });
  expect([reply.status, reply.headers.get("x-gatehouse-route")]).toEqual([200, "words/two"]);
  await reply.text();
  await page.reload();
  await expect(page.getByRole("heading", { name: "Fallbacks answered 1 call" })).toBeVisible();
  await expect(page.getByRole("listitem").filter({ hasText: "no connection" })).toContainText("words");
  await expectNoAxeViolations(page);

  await page.getByRole("button", { name: "Move words two up" }).click();
  await page.getByLabel("Weight of words two").fill("300");
  await expect(page.getByRole("region", { name: "Group 1" })).toContainText(/75.%/);
  await page.getByLabel("Order of group 1").selectOption("price");
  await page.getByRole("button", { name: /^Save/ }).click();
  await expect(page.getByText("so that there is a cheapest")).toBeVisible();
  await page.getByRole("button", { name: "Edit words two" }).click();
  await dialog.getByLabel("Provider’s output price").fill("0.4");
  await dialog.getByRole("button", { name: "Change route" }).click();
  await expect(dialog.getByText(/is required/).first()).toBeVisible();
  await dialog.getByLabel("Provider’s input price").fill("0.1");
  await expectNoAxeViolations(page);
  await dialog.getByRole("button", { name: "Change route" }).click();
  await expect(page.getByRole("region", { name: "Group 1" })).toContainText("0.10 in, 0.40 out");
  await expect(page.getByRole("row", { name: "Providers charge" })).toBeVisible();
  await page.getByRole("button", { name: /^Save/ }).click();
  const own = { input_per_1m: "0.1", output_per_1m: "0.4" };
  await expect
    .poll(() => call("GET", "/models/org%2Frouted/routes"))
    .toMatchObject({
      routes: [
        { provider: "away", group: 1, weight: 100, order: "price", price: null },
        { provider: "words", group: 1, weight: 300, order: "price", price: own },
      ],
    });
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByRole("region", { name: "Group 2" })).toContainText("two");
  await page.setViewportSize(PHONE);
  await expectNoSidewaysScroll(page);
  await provider.stop();
});
