import { adminApi } from "../../support/clients/admin-api";
import { expect, test } from "../../support/fixtures/test";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { findField, findRow, findSaveButton } from "../../support/pages/find-on-page";
import { openSpecificationConsole } from "../../support/pages/open-specification-console";
import { signIn } from "../../support/pages/sign-in";

test("a reader of models sees no controls to change them, and the reason", async ({ page, gatehouse }) => {
  const draft = { name: "finance", role: "finance" };
  const { value } = await adminApi(gatehouse).call<{ value: string }>("POST", "/admin_api_keys", draft);
  await signIn(page, gatehouse, value);
  await page.goto("/models");
  await expect(findRow(page, "sandbox-chat").first()).toBeVisible();
  await expect(page.getByRole("link", { name: "Add model" })).toHaveCount(0);
  await expectNoAxeViolations(page);
  await page.goto("/providers");
  await expect(page.getByText("api.providers.read").first()).toBeVisible();
  await expect(page.getByRole("link", { name: "Add provider" })).toHaveCount(0);
  await expectNoAxeViolations(page);
  await page.goto("/models/sandbox-chat");
  await expect(page.getByText("You can view these prices but not change them")).toBeVisible();
  await expect(findField(page, "Model rate")).toBeDisabled();
  await expect(findSaveButton(page)).toHaveCount(0);
  await expectNoAxeViolations(page);
  await page.goto("/models/sandbox-image");
  await expect(page.getByText("You can view these prices but not change them")).toBeVisible();
  await expect(findField(page, "List price")).toBeDisabled();
  await expect(findSaveButton(page)).toHaveCount(0);
  await expectNoAxeViolations(page);
  await page.goto("/models/new");
  await expect(page.getByText("api.models.write")).toBeVisible();
  await expectNoAxeViolations(page);
});

test("a specification-only gateway says that it lists no models", async ({ browser, elsewhere }) => {
  const { page, stop } = await openSpecificationConsole(browser, elsewhere);
  for (const path of ["/models", "/models/new", "/models/any"]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toContainText("doesn’t list or change models");
  }
  await expectNoAxeViolations(page);
  await stop();
});
