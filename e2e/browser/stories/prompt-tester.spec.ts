import type { Page } from "@playwright/test";
import { adminApi } from "../../support/clients/admin-api";
import { expect, test } from "../../support/fixtures/test";
import { chooseModel } from "../../support/pages/choose-model";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { openAsMember } from "../../support/pages/open-as-member";
import { openDetails } from "../../support/pages/receipts";

// A scene of its own, since the test checks that a tester never sees the balance.
test.use({ scene: "prompt-tester", environment: { GATEHOUSE_OPENING_BALANCE: "12.345" } });

const asTester = { email: "tess@example.com", name: "Tess", role: "prompt_tester" };
const heading = (page: Page) => page.locator("#main").getByRole("heading", { level: 1 });

test("starts a tester in the playground, and shows the cost of calls but not the balance", async ({
  page,
  context,
  gatehouse,
}) => {
  const api = adminApi(gatehouse);
  const routes = [{ provider: "sandbox", model: "sandbox-chat" }];
  const price = { input_per_1m: "9000000", output_per_1m: "9000000" };
  await api.createModel({ id: "dear", family: "chat", rate: "1", price, routes });
  await openAsMember(context, gatehouse, asTester);
  await page.goto("/");
  await page.waitForURL("**/projects/*/playground");
  await expect(page.getByRole("link", { name: "Overview" })).toHaveCount(0);

  await chooseModel(page, "sandbox-echo");
  const message = page.getByRole("textbox", { name: "Message", exact: true });
  await message.fill("one two three");
  await message.press("Enter");
  const answer = page.getByRole("article").last();
  const receipt = page.locator("footer").last();
  await expect(receipt.locator("data[value='0.0000045']")).toBeVisible();
  await openDetails(page);
  await expect(receipt).toContainText("(3 × 1.00 + 3 × 2.00) ÷ 1,000,000 × model rate 0.50");
  // The tester sees their own call, and nothing about the balance.
  await expect(receipt.getByRole("link")).toHaveText(["Receipt"]);
  await expect(answer.getByRole("link")).toHaveCount(0);
  await expectNoAxeViolations(page);

  await chooseModel(page, "dear");
  await message.fill("one two");
  await message.press("Enter");
  await expect(answer).toContainText("The balance is too low for this call");
  await expect(answer.locator("data")).toHaveAttribute("value", "81.00");
  await expect(answer).not.toContainText("available");
  await expect(answer).not.toContainText("12.3");
  await expectNoAxeViolations(page);
});

test("a screen that the person may not see says so once", async ({ page, context, gatehouse }) => {
  await openAsMember(context, gatehouse, { ...asTester, email: "tom@example.com" });
  for (const [path, permission] of [
    ["/balance", "api.balance.read or api.ledger.read"],
    ["/members", "api.users.read"],
    ["/rate-limits", "api.rate_limits.read"],
    ["/roles/role_reader", "api.roles.read"],
    ["/keys", "api.project_api_keys.read"],
  ] as const) {
    await page.goto(path);
    await expect(heading(page)).toContainText("You don’t have permission to see the");
    await expect(page.locator("#main")).toContainText(`You need the permission ${permission}.`);
    await expect(page.locator("#main").getByRole("heading")).toHaveCount(1);
  }
  await expectNoAxeViolations(page);
});
