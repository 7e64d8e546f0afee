import { expect, test } from "../../support/fixtures/test";
import { expectAccessibleOnPhone } from "../../support/pages/expect-accessible";
import { signIn } from "../../support/pages/sign-in";

test.beforeEach(({ page, gatehouse }) => signIn(page, gatehouse));

/** Addresses of objects that don't exist, the link that each page offers, and where it leads. */
const unknown = [
  ["/requests/req_none", "View all calls", "/requests"],
  ["/tasks/task_none", "View all tasks", "/tasks"],
  ["/batches/batch_none", "View all batches", "/batches"],
  ["/balance/txn_none", "View the ledger", "/balance"],
  ["/audit-logs/audit_none", "View the audit log", "/audit-logs"],
  ["/prompts/prompt_none", "View all prompts", "/prompts"],
  ["/projects/proj_none", "View all projects", "/projects"],
  ["/roles/role_none", "View all roles", "/roles"],
  ["/groups/group_none", "View all groups", "/groups"],
  ["/members/user_none", "View all members", "/members"],
  ["/models/none", "View all models", "/models"],
  ["/rate-limits/rl_none", "View all rate limits", "/limits"],
  ["/statements/2001-01", "Open statements", "/statements"],
] as const;

test.describe.configure({ timeout: 120_000 });

test("the page of an object that doesn’t exist leads to the list of those that do", async ({ page }) => {
  for (const [address, link, list] of unknown)
    await test.step(address, async () => {
      await page.goto(address);
      await expect(page.getByRole("heading", { name: /^There is no/ })).toBeVisible();
      await page.locator("#main").getByRole("link", { name: link }).click();
      await expect(page).toHaveURL(new RegExp(`${list}$`));
    });
});

test("the page of a call that doesn’t exist is accessible on a phone", async ({ page }) => {
  await page.goto("/requests/req_none");
  await expect(page.getByText("There is no such call")).toBeVisible();
  await expectAccessibleOnPhone(page);
});
