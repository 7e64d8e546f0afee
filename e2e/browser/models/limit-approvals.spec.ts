import { adminApi } from "../../support/clients/admin-api";
import { expect, test } from "../../support/fixtures/test";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { openAsMember } from "../../support/pages/open-as-member";

test.use({ scene: "limit-approvals" });

test("a limit above a bound is asked for, approved by a second person, and then saved by the first", async ({
  page,
  context,
  browser,
  gatehouse,
}) => {
  const { call, createProject } = adminApi(gatehouse);
  const { id: projectId } = await createProject("Needs approval");
  await openAsMember(context, gatehouse, { email: "ada@example.com", name: "Ada", role: "owner" });
  const other = await browser.newContext({ baseURL: gatehouse.consoleUrl });
  await openAsMember(other, gatehouse, { email: "ben@example.com", name: "Ben", role: "owner" });
  // Who joins afterwards may not approve yet.
  await call("POST", "/rate_limits/approval", { above: { max_tokens_per_1_minute: 2_000_000 } });

  await page.goto(`/projects/${projectId}/limits`);
  await expect(page.locator("[data-taking-over]")).toHaveCount(0, { timeout: 20_000 });
  const row = page.getByRole("row").filter({ has: page.getByRole("rowheader", { name: /^sandbox-echo\b/ }) });
  await row.getByRole("gridcell").nth(1).click();
  await page.keyboard.type("3m");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Review 1 change" }).click();
  await expect(page.getByText("A second person must approve this draft.")).toBeVisible();
  await page.getByRole("button", { name: "Ask for approval" }).click();
  await expect(page.getByText("This draft is waiting for a second person.")).toBeVisible();
  await expectNoAxeViolations(page);

  const second = await other.newPage();
  await second.goto("/rate-limits");
  await second.getByRole("button", { name: "Approvals 1" }).click();
  const dialog = second.getByRole("dialog", { name: "Approvals" });
  await expect(dialog).toContainText("Ada");
  await expect(dialog).toContainText("3,000,000");
  await expectNoAxeViolations(second);
  await dialog.getByRole("button", { name: "Approve" }).click();
  await expect(dialog.getByText("No changes are waiting for approval.")).toBeVisible();

  await page.getByRole("button", { name: "Check again" }).click();
  await expect(page.getByText("Ben approved this draft.")).toBeVisible();
  await page.getByRole("button", { name: "Save 1 change" }).click();
  await expect(page.getByText("Saved 1 change")).toBeVisible();
  expect(await call("GET", `/projects/${projectId}/rate_limits/rl_sandbox-echo`)).toMatchObject({
    max_tokens_per_1_minute: 3_000_000,
  });
});
