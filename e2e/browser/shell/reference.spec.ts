import { operationTable } from "@/lib/contract/operation-table";
import { expect, test } from "../../support/fixtures/test";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { expectNoSidewaysScroll } from "../../support/pages/expect-no-sideways-scroll";
import { PHONE } from "../../support/pages/viewports";

test("an operation is found, opened and read with only the keyboard", async ({ page, gatehouse }) => {
  const refused: string[] = [];
  page.on("console", (message) => message.type() === "error" && refused.push(message.text()));
  await page.goto(new URL("/docs", gatehouse.baseUrl).href);
  await page.keyboard.press("/");
  await page.keyboard.type("post rate_limit_id effect");
  await expect(page.getByRole("status")).toHaveText(`1 of ${operationTable.length} found`);
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  const operation = page.locator("#saveRateLimit");
  await expect(operation.getByRole("region", { name: "Request" })).toContainText("max_requests_per_1_minute");
  await expect(operation).toContainText(
    `curl ${gatehouse.baseUrl}/organization/projects/proj_123/rate_limits`,
  );
  await expectNoAxeViolations(page);
  expect(refused).toEqual([]);
});

test("the table of permissions and roles leads to its operations, wide and narrow", async ({
  page,
  gatehouse,
}) => {
  await page.goto(new URL("/docs/access", gatehouse.baseUrl).href);
  // A sample of the two thousand cells suffices.
  await page.getByRole("searchbox").fill("api.roles");
  await expectNoAxeViolations(page);
  await page.setViewportSize(PHONE);
  await expectNoSidewaysScroll(page);
  await page.getByRole("link", { name: "POST /organization/roles", exact: true }).click();
  await expect(page.locator("#createRole")).toHaveAttribute("open");
  await expectNoSidewaysScroll(page);
});
