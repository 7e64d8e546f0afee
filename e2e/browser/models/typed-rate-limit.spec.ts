import { expect, test } from "../../support/fixtures/test";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { openSpecificationConsole } from "../../support/pages/open-specification-console";

test("a specification-only gateway accepts typed ids and shows its reply", async ({ browser, elsewhere }) => {
  const { page, gateway, stop } = await openSpecificationConsole(browser, elsewhere);
  const field = (label: string) => page.getByLabel(label, { exact: true });
  await page.goto("/rate-limits");
  await field("Project id").fill("proj_typed");
  await page.getByRole("button", { name: "Save rate limit" }).click();
  await expect(page.getByText("Rate limit id must not be empty.")).toBeVisible();
  await expectNoAxeViolations(page);
  await field("Rate limit id").fill("rl_some/model");
  await field("Requests per minute").fill("1k");
  await page.getByRole("button", { name: "Save rate limit" }).click();

  const reply = page.getByRole("region", { name: "The gateway’s reply" });
  await expect(reply.getByRole("row", { name: "Requests per minute" })).toContainText("1,000");
  await expect(reply.locator("pre")).toContainText('"max_requests_per_1_minute": 1000');
  expect(gateway.requests.at(-1)).toEqual({
    method: "POST",
    path: "/organization/projects/proj_typed/rate_limits/rl_some%2Fmodel",
    status: 200,
  });
  await expect(field("Project id")).toHaveValue("proj_typed");
  await expectNoAxeViolations(page);
  await stop();
});
