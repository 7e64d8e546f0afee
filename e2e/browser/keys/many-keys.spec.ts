import { adminApi } from "../../support/clients/admin-api";
import { expect, test } from "../../support/fixtures/test";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { expectFitsPhone } from "../../support/pages/expect-no-sideways-scroll";
import { createSelectedProject } from "../../support/pages/select-project";
import { signIn } from "../../support/pages/sign-in";

test("several keys are limited and deleted at once, after what it does to each was shown", async ({
  page,
  context,
  gatehouse,
}, { title }) => {
  const api = adminApi(gatehouse);
  const projectId = await createSelectedProject(context, gatehouse, title);
  for (const name of ["nightly", "notebook", "production"])
    await api.call("POST", `/projects/${projectId}/api_keys`, { name });
  await signIn(page, gatehouse);
  await page.goto("/keys");
  await page.getByRole("checkbox", { name: "Select nightly" }).check();
  await page.getByRole("checkbox", { name: "Select notebook" }).check();
  const bar = page.getByRole("toolbar", { name: "Actions for selected keys" });
  await expect(bar).toContainText("2 keys selected");
  await bar.getByRole("button", { name: "Limit" }).click();
  const limiting = page.getByRole("dialog", { name: "Limit: 2 keys" });
  await expect(limiting.getByText("stays as it is")).toHaveCount(2);
  await limiting.getByLabel("Allowed endpoints").selectOption({ label: "POST /v1/embeddings only" });
  await expect(limiting.getByText("never used")).toHaveCount(2);
  await expectNoAxeViolations(page);
  await limiting.getByRole("button", { name: "Limit 2 keys" }).click();
  await expect(limiting).toBeHidden();
  await expect(page.getByRole("row").filter({ hasText: "embeddings" })).toHaveCount(2);

  await page.getByRole("checkbox", { name: "Select production" }).check();
  await page.getByRole("checkbox", { name: "Select nightly" }).check();
  await bar.getByRole("button", { name: "Delete" }).click();
  const deleting = page.getByRole("dialog", { name: "Delete: 2 keys" });
  await expect(deleting).toContainText("It would have refused no call of the last 7 days.");
  await expectNoAxeViolations(page);
  await deleting.getByRole("button", { name: "Delete 2 keys" }).click();
  await expect(deleting).toBeHidden();
  await expect(page.getByText("production")).toHaveCount(0);
  const { data } = await api.call<{ data: { name: string; endpoints: string[] | null }[] }>(
    "GET",
    `/projects/${projectId}/api_keys`,
  );
  expect(data).toMatchObject([{ name: "notebook", endpoints: ["embeddings"] }]);
  await expectFitsPhone(page);
});
