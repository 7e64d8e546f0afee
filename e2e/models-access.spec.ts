import { execFileSync } from "node:child_process";
import { rm } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { expectNoAxeViolations } from "./support/expect-no-axe-violations";
import { openSpecificationConsole } from "./support/open-specification-console";
import { signIn } from "./support/sign-in";
import { startGatehouse } from "./support/start-gatehouse";
import { makeDataFolder } from "./support/start-program";
import { expect, test } from "./support/test";

const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
const rowOf = (page: Page, id: string) =>
  page.getByRole("row").filter({ has: page.getByText(id, { exact: true }) });
const saveButton = (page: Page) => page.getByRole("button", { name: /^Save/ });

test("somebody who may only read models sees no way to change them, and is told why", async ({ browser }) => {
  const dataFolder = await makeDataFolder();
  await (await startGatehouse({ GATEHOUSE_DATA: dataFolder })).stop();
  const key = createKeyOf("role_finance", dataFolder);
  const gatehouse = await startGatehouse({ GATEHOUSE_DATA: dataFolder });
  const context = await browser.newContext({ baseURL: gatehouse.consoleUrl });
  const page = await context.newPage();
  await signIn(page, key);
  await page.goto("/models");
  await expect(rowOf(page, "sandbox-chat").first()).toBeVisible();
  await expect(page.getByText("api.providers.read")).toBeVisible();
  await expect(page.getByRole("link", { name: "Add model" })).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Add provider" })).toHaveCount(0);
  await expectNoAxeViolations(page);
  await page.goto("/models/sandbox-chat");
  await expect(page.getByText("You can see these prices, not change them")).toBeVisible();
  await expect(field(page, "Model rate")).toBeDisabled();
  await expect(saveButton(page)).toHaveCount(0);
  await expectNoAxeViolations(page);
  await page.goto("/models/new");
  await expect(page.getByText("api.models.write")).toBeVisible();
  await expectNoAxeViolations(page);
  await context.close();
  await gatehouse.stop();
  await rm(dataFolder, { recursive: true, force: true });
});

test("a gateway with the specification alone says that it lists no models", async ({ browser }) => {
  const { page, stop } = await openSpecificationConsole(browser);
  for (const path of ["/models", "/models/new", "/models/any"]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toContainText("doesn't list or change models");
  }
  await expectNoAxeViolations(page);
  await stop();
});

/** The data's own format is bun's to write; the gateway must be closed. */
function createKeyOf(roleId: string, dataFolder: string): string {
  const program = `
    import { createRoleKey } from "@/e2e/support/create-role-key";
    console.log(await createRoleKey(${JSON.stringify(dataFolder)}, ${JSON.stringify(roleId)}));`;
  return execFileSync("node_modules/.bin/bun", ["-e", program], { encoding: "utf8" }).trim();
}
