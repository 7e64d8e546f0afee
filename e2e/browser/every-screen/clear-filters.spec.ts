import { adminApi } from "../../support/clients/admin-api";
import { expect, test } from "../../support/fixtures/test";
import { signIn } from "../../support/pages/sign-in";

test.beforeEach(({ page, gatehouse }) => signIn(page, gatehouse));

test("Clear empties the filters, also text that is invalid or was typed a moment ago", async ({ page }) => {
  await page.goto("/requests?model=sandbox-echo&status=429");
  const cost = page.getByLabel("Cost at least");
  const request = page.getByLabel("Request id");
  await cost.fill("1..2");
  await cost.blur();
  await expect(cost).toHaveAttribute("aria-invalid", "true");
  // Typed and cleared in one moment, before the address follows the text.
  await request.evaluate((field: HTMLInputElement) => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(field, "req_1");
    field.dispatchEvent(new Event("input", { bubbles: true }));
  });
  await page.getByRole("button", { name: "Clear", exact: true }).click();
  for (const field of [cost, request, page.getByLabel("Status")]) await expect(field).toHaveValue("");
  await expect(cost).not.toHaveAttribute("aria-invalid", "true");
  await expect(page).toHaveURL(/\/requests$/);
  // What is typed next filters again.
  await request.fill("req_2");
  await expect(page).toHaveURL(/\?request_id=req_2$/);
});

test("another project takes the filter by a key of the project before along, and all projects keep it", async ({
  page,
  gatehouse,
}) => {
  const api = adminApi(gatehouse);
  const [first, second] = [await api.createProject("First"), await api.createProject("Second")];
  const key = await api.createKey(first.id, "ci");
  const filtered = `/requests?project_id=${first.id}&api_key_id=${key.id}`;
  const project = page.getByRole("combobox", { name: "Project", exact: true });
  await page.goto(filtered);
  await expect(page.getByRole("combobox", { name: "Key" })).toHaveValue(key.id);
  await project.selectOption(second.id);
  await expect(page).toHaveURL(new RegExp(`/requests\\?project_id=${second.id}$`));
  await page.goto(filtered);
  await project.selectOption("");
  await expect(page).toHaveURL(new RegExp(`/requests\\?api_key_id=${key.id}$`));
});
