import { adminApi } from "../../support/clients/admin-api";
import { expect, test } from "../../support/fixtures/test";
import { expectAccessible } from "../../support/pages/expect-accessible";
import { signIn } from "../../support/pages/sign-in";
import { standInOrganization, startOpenaiAdminServer } from "../../support/servers/openai-admin-server";

test.use({ scene: "openai-import" });

test("an OpenAI organization is read with a key that is forgotten, planned with what has no counterpart, and applied", async ({
  page,
  gatehouse,
}) => {
  await using server = await startOpenaiAdminServer(standInOrganization);
  await signIn(page, gatehouse);
  await page.goto("/settings/configuration");
  await page.getByRole("link", { name: "OpenAI organization" }).click();
  const [key, address] = [page.getByLabel("Admin key", { exact: true }), page.getByLabel("Address")];
  const read = page.getByRole("button", { name: "Read the organization" });
  await expect(key).toHaveAttribute("type", "password");
  await address.fill(server.baseUrl);
  await key.fill("sk-wrong");
  await read.click();
  await expect(key).toHaveAccessibleDescription(/refuses this key \(401\)/);
  await expect(address).toHaveValue(server.baseUrl);
  await expectAccessible(page);
  await address.fill("http://127.0.0.1:9/v1");
  await read.click();
  await expect(address).toHaveAccessibleDescription(/can't be read/);
  await expect(key).toHaveValue("sk-wrong");

  await address.fill(server.baseUrl);
  await key.fill(server.key);
  await read.click();
  await expect(page.getByRole("heading", { level: 1, name: /^The import makes \d+ changes$/ })).toBeVisible();
  await expect(page.getByText("Role Support lead", { exact: true }).last()).toBeVisible();
  await expect(page.getByText("Limits of gpt-unknown")).toBeVisible();
  await expectAccessible(page);
  const names = async () =>
    (await adminApi(gatehouse).call<{ data: { name: string }[] }>("GET", "/projects")).data.map(
      ({ name }) => name,
    );
  expect(await names()).not.toContain("Search");
  await page.getByRole("button", { name: "Back", exact: true }).click();
  await expect(key).toHaveValue("");
  await expect(address).toHaveValue(server.baseUrl);
  await key.fill(server.key);
  await read.click();
  await page.getByRole("button", { name: /^Apply \d+ changes$/ }).click();
  await expect(page.getByText(/^\d+ changes applied$/).first()).toBeVisible();
  const links = page.getByRole("list", { name: "Links of invitations" });
  await expect(links.getByRole("listitem")).toHaveCount(3);
  await expect(links).toContainText(`${gatehouse.consoleUrl}/invite`);
  expect(await names()).toContain("Search");
  await expectAccessible(page);
});
