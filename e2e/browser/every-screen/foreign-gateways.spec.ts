import { expect, test } from "../../support/fixtures/test";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { signInByForm } from "../../support/pages/sign-in";
import { startSpecificationGateway } from "../../support/servers/specification-gateway";

test("signs in to another gateway, whatever it answers to unknown paths", async ({ browser, elsewhere }) => {
  test.slow();
  const gateway = await startSpecificationGateway(elsewhere.gatewayPort);
  for (const how of [401, 403, 404, 405, 501, "page"] as const) {
    await test.step(String(how), async () => {
      gateway.answerUnknownPaths(how);
      const context = await browser.newContext({ baseURL: elsewhere.consoleUrl });
      const page = await context.newPage();
      await page.goto("/sign-in");
      await page.getByRole("textbox", { name: "Admin key" }).fill("not-the-token");
      await page.keyboard.press("Enter");
      await expect(page.getByText("The gateway does not accept this token.").first()).toBeVisible();
      await signInByForm(page, gateway.token);
      await expect(page.getByRole("link", { name: "Try a prompt" })).toBeVisible();
      await page.goto("/playground");
      await page.getByLabel("Model").fill("any-model");
      await page.getByRole("textbox", { name: "Message", exact: true }).fill("Hello there");
      await page.keyboard.press("Enter");
      await expect(page.getByRole("article")).toContainText("Hello there");
      await page.goto("/models");
      await expect(page.getByRole("heading", { level: 1 })).toContainText("doesn’t list or change models");
      if (how === 401) await expectNoAxeViolations(page);
      await context.close();
    });
  }
  await gateway.stop();
});
