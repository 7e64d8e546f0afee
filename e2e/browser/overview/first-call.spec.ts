import type { Page } from "@playwright/test";
import { adminApi } from "../../support/clients/admin-api";
import { expect, test } from "../../support/fixtures/test";
import { holdScripts } from "../../support/pages/hold-scripts";
import { signIn } from "../../support/pages/sign-in";

test.use({ scene: "first-call" });

test.beforeEach(({ page, gatehouse }) => signIn(page, gatehouse));

/** The example call in the tab that is open. */
const example = (page: Page) => page.locator("#main").getByRole("tabpanel");

async function openFromAnotherScreen(page: Page): Promise<void> {
  await page.goto("/calculator");
  // A link that the page's script doesn't handle yet would load a document.
  await expect(async () => {
    await page.getByRole("button", { name: /^Signed in as/ }).click();
    await expect(page.getByRole("menuitem", { name: "Sign out" })).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: "Overview", exact: true }).click();
  await page.waitForURL("/");
}

test("the example calls a model of the sandbox where there is no other, and a real one once there is", async ({
  page,
  gatehouse,
}) => {
  await page.goto("/");
  await expect(example(page)).toContainText(`"model":"sandbox-echo"`);
  const api = adminApi(gatehouse);
  await api.createProvider("local", "http://127.0.0.1:9/v1");
  await api.createModel({
    id: "zeta-real",
    family: "chat",
    rate: "1",
    price: { input_per_1m: "1.00", output_per_1m: "1.00" },
    routes: [{ provider: "local", model: "any" }],
  });
  await openFromAnotherScreen(page);
  await expect(example(page)).toContainText(`"model":"zeta-real"`);

  // A document has it without a read by the browser.
  await holdScripts(page);
  await page.reload({ waitUntil: "commit" });
  await expect(example(page)).toContainText(`"model":"zeta-real"`);
});
