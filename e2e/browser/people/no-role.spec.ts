import { adminApi } from "../../support/clients/admin-api";
import { createOrganizationClient } from "../../support/clients/organization-client";
import { expect, test } from "../../support/fixtures/test";
import { expectAccessibleOnPhone } from "../../support/pages/expect-accessible";
import { openAsMember } from "../../support/pages/open-as-member";

test.use({ scene: "no-role" });

test("a member who lost their only role is told whom to ask, on the overview and on each screen", async ({
  page,
  context,
  gatehouse,
}) => {
  const nora = { email: "nora@example.com", name: "Nora", role: "reader" };
  const { token } = await openAsMember(context, gatehouse, nora);
  await page.goto("/");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page.getByText("You have no role")).toHaveCount(0);
  const { body } = await createOrganizationClient(gatehouse.baseUrl)("GET", "/me", undefined, token);
  const { id } = body.user as { id: string };
  await adminApi(gatehouse).call("DELETE", `/users/${id}/roles/role_reader`);
  await page.reload();
  await expect(page.getByRole("heading", { name: "You have no role" })).toBeVisible();
  await expect(page.getByText("Ask someone with the Owner or Admin role for one")).toBeVisible();
  await expectAccessibleOnPhone(page);
  await page.goto("/usage");
  await expect(page.getByText("The calls that you make are counted here.")).toBeVisible();
  for (const screen of ["/keys", "/rate-limits", "/requests", "/tasks", "/batches", "/playground"]) {
    await page.goto(screen);
    await expect(page.getByRole("heading", { name: /^You don’t have permission to/ })).toBeVisible();
    await expect(page.getByText("for a role with it, then reload this page.")).toBeVisible();
  }
});

test("who can’t create a project isn’t led to, while there is none", async ({ page, context, gatehouse }) => {
  const { call } = adminApi(gatehouse);
  const { data } = await call<{ data: { id: string }[] }>("GET", "/projects");
  for (const { id } of data) await call("POST", `/projects/${id}/archive`);
  const tess = { email: "tess@example.com", name: "Tess", role: "prompt_tester" };
  await openAsMember(context, gatehouse, tess);
  for (const screen of ["/playground", "/prompts", "/tasks"]) {
    await page.goto(screen);
    await expect(page.getByRole("heading", { name: "No projects yet" })).toBeVisible();
    await expect(page.getByText("Ask someone with the Owner or Admin role to create one")).toBeVisible();
    await expect(page.getByRole("link", { name: "Create a project" })).toHaveCount(0);
  }
  await expectAccessibleOnPhone(page);
});
