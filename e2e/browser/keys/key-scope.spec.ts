import { adminApi } from "../../support/clients/admin-api";
import { fetchWithKey } from "../../support/clients/send";
import { expect, test } from "../../support/fixtures/test";
import { expectAccessibleOnPhone } from "../../support/pages/expect-accessible";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { holdPosts } from "../../support/pages/hold-posts";
import { signIn } from "../../support/pages/sign-in";
import type { Gatehouse } from "../../support/programs/start-gatehouse";

test.use({ scene: "key-scope" });

async function ask(gatehouse: Gatehouse, key: string, model = "sandbox-echo") {
  const reply = await fetchWithKey(`${gatehouse.baseUrl}/chat/completions`, {
    key,
    body: { model, messages: [{ role: "user", content: "hi" }] },
  });
  return reply.status;
}

test("a key is limited to models, shows its limit in the list, and is rotated with an overlap", async ({
  page,
  gatehouse,
}) => {
  const { createProject, createKey } = adminApi(gatehouse);
  const { id } = await createProject("Checkout");
  const { value } = await createKey(id, "Production");
  await signIn(page, gatehouse);
  await page.goto(`/projects/${id}/keys`);
  const row = page.getByRole("row", { name: /Production/ });
  await expect(row).toContainText("no limit");
  const open = async (entry: string) => {
    await page.getByRole("button", { name: "More for key “Production”" }).first().click();
    await page.getByRole("menuitem", { name: entry }).click();
  };
  await open("Limit to models and endpoints");
  await page.getByRole("checkbox", { name: /^(?!All of).*sandbox-chat/ }).check();
  await expectNoAxeViolations(page);
  await page.getByRole("button", { name: "Save limits" }).click();
  await expect(row).toContainText("sandbox-chat");
  expect(await ask(gatehouse, value)).toBe(403);
  expect(await ask(gatehouse, value, "sandbox-chat")).toBe(200);

  await open("Details and usage");
  const details = page.getByRole("dialog", { name: "Production" });
  await expect(details.getByRole("region", { name: "The last 30 days" })).toContainText("Calls");
  await expect(details).toContainText("by First admin key");
  await expectNoAxeViolations(page);
  await page.keyboard.press("Escape");

  await open("Rotate");
  await expectNoAxeViolations(page);
  const release = await holdPosts(page, "**/keys*");
  await page.getByRole("button", { name: "Rotate key" }).click();
  const shown = page.getByRole("dialog");
  // Nobody would see the new key of a rotation whose dialog is closed.
  await expect(shown.getByRole("button", { name: "Cancel" })).toBeDisabled();
  await page.keyboard.press("Escape");
  await page.mouse.click(5, 5);
  release();
  await expect(shown).toContainText(/gk_live_\w+/);
  const renewed = (await shown.locator("code").first().textContent()) ?? "";
  await page.getByRole("button", { name: "I have copied it" }).click();
  await expect(row).toHaveCount(2);
  expect(await ask(gatehouse, value, "sandbox-chat")).toBe(200);
  expect(await ask(gatehouse, renewed, "sandbox-chat")).toBe(200);
  await expectAccessibleOnPhone(page);
});

test("a key that leaked is found by its text, which no address carries, and revoked", async ({
  page,
  gatehouse,
}) => {
  const { createProject, createKey } = adminApi(gatehouse);
  const { id } = await createProject("Leaky");
  const { value } = await createKey(id, "Leaked");
  const addresses: string[] = [];
  page.on("request", (request) => addresses.push(request.url()));
  await signIn(page, gatehouse);
  await page.goto("/keys");
  await page.getByRole("button", { name: "Find a key" }).click();
  const field = page.getByLabel("Key", { exact: true });
  await field.fill("gk_live_short");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog")).toContainText("must contain a complete key");
  await field.fill(`OPENAI_API_KEY=${value} # staging`);
  await page.keyboard.press("Enter");
  const found = page.getByRole("dialog").getByText("This key still works");
  await expect(found).toBeVisible();
  await expect(page.getByRole("dialog")).toContainText("Leaky");
  await expectNoAxeViolations(page);
  await page.getByRole("button", { name: "Revoke this key" }).click();
  await page.getByRole("button", { name: /^Revoke it now/ }).click();
  await expect(page.getByRole("dialog")).toBeHidden();
  expect(await ask(gatehouse, value)).toBe(401);
  expect(addresses.filter((address) => address.includes(value.slice(8, 40)))).toEqual([]);
  const kept = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
  expect(kept).not.toContain(value.slice(8, 40));
});
