import { adminApi } from "../../support/clients/admin-api";
import { expect, test } from "../../support/fixtures/test";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { createSelectedProject } from "../../support/pages/select-project";
import { signIn } from "../../support/pages/sign-in";

test("before sending, the composer says what it holds and what would refuse; the figures are the limits'", async ({
  page,
  context,
  gatehouse,
}, { title }) => {
  const api = adminApi(gatehouse);
  const id = await createSelectedProject(context, gatehouse, title);
  await signIn(page, gatehouse);
  await page.goto("/playground?model=sandbox-echo");
  const message = page.getByRole("textbox", { name: "Message", exact: true });
  await message.fill("one two three");
  await expect(page.getByText("≈ 3 tokens in")).toBeVisible();
  await expect(page.getByText("fits every limit")).toBeVisible();
  await expectNoAxeViolations(page);

  await api.saveRateLimit(id, "sandbox-echo", { max_tokens_per_1_minute: 2 });
  await message.fill("one two three four");
  await expect(page.getByText("would be refused")).toBeVisible();
  await page.getByRole("button", { name: "Check", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Before sending" });
  await expect(dialog).toContainText("It would be refused: Tokens per minute");
  await expect(dialog.getByRole("row", { name: /Tokens per minute/ })).toContainText("too many");
  await expect(dialog.getByRole("row", { name: /Requests per minute/ })).toContainText("0 of 600");
  await expectNoAxeViolations(page);
  await page.keyboard.press("Escape");
  const { data } = await api.call<{ data: unknown[] }>("GET", `/requests?project_id=${id}`);
  expect(data).toEqual([]);
});
