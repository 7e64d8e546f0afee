import { adminApi } from "../../support/clients/admin-api";
import { uploadForm } from "../../support/clients/batch-client";
import { fetchWithKey } from "../../support/clients/send";
import { expect, test } from "../../support/fixtures/test";
import { createSelectedProject } from "../../support/pages/select-project";
import { signIn } from "../../support/pages/sign-in";

let projectId: string;

test.beforeEach(async ({ page, context, gatehouse }, { title }) => {
  projectId = await createSelectedProject(context, gatehouse, title.slice(0, 80));
  await signIn(page, gatehouse);
});

const lists = [
  { screen: "/tasks", title: "No tasks yet", filter: "Status", filtered: "status=failed" },
  { screen: "/batches", title: "No batches yet", filter: "Status", filtered: "status=completed" },
  { screen: "/files", title: "No files yet", filter: "Purpose", filtered: "purpose=batch_output" },
];

for (const { screen, title, filter, filtered } of lists) {
  test(`a list without anything offers no filter and no export: ${screen}`, async ({ page }) => {
    const parts = [
      page.getByRole("button", { name: "Export", exact: true }),
      page.getByLabel(filter, { exact: true }),
    ];
    await page.goto(`${screen}?${filtered}`);
    for (const part of parts) await expect(part).toBeVisible();
    await expect(page.getByText(title)).toHaveCount(0);
    // Without the filter there is nothing either, and nothing to act on.
    await page.getByRole("button", { name: "Clear", exact: true }).click();
    await expect(page.getByRole("heading", { name: title })).toBeVisible();
    for (const part of parts) await expect(part).toHaveCount(0);
  });
}

test("a list offers its filter and its export with its first object", async ({ page, gatehouse }) => {
  await page.goto("/files");
  await expect(page.getByRole("heading", { name: "No files yet" })).toBeVisible();
  const { value } = await adminApi(gatehouse).createKey(projectId, "uploads");
  const body = uploadForm({ purpose: "user_data", file: "{}" });
  const reply = await fetchWithKey(`${gatehouse.baseUrl}/files`, { key: value, body });
  expect(reply.status).toBe(200);
  await page.reload();
  await expect(page.getByLabel("Purpose", { exact: true })).toBeVisible();
  await expect(page.getByRole("button", { name: "Export", exact: true })).toBeVisible();
});
