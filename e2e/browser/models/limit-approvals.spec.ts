import { createOrganizationClient } from "../../support/clients/organization-client";
import { expect, test } from "../../support/fixtures/test";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { openAsMember } from "../../support/pages/open-as-member";

test.use({ scene: "limit-approvals" });

test("a limit above the bound is asked for in the review, approved by somebody else, and saved", async ({
  page,
  browser,
  gatehouse,
}) => {
  const others = await browser.newContext({ baseURL: gatehouse.consoleUrl });
  await openAsMember(others, gatehouse, { email: "ben@example.com", name: "Ben", role: "owner" });
  await openAsMember(page.context(), gatehouse, { email: "ada@example.com", name: "Ada", role: "owner" });
  const ask = createOrganizationClient(gatehouse.baseUrl);
  const { body } = await ask("GET", "/projects", undefined, gatehouse.adminKey);
  const [project] = body.data as { id: string }[];
  await page.goto(`/projects/${project?.id}/limits`);
  await expect(page.locator("[data-taking-over]")).toHaveCount(0);
  await page.getByRole("button", { name: "Approvals" }).click();
  await page.getByRole("textbox", { name: "Requests per minute", exact: true }).fill("1k");
  await page.getByRole("button", { name: "Save bounds" }).click();
  await expect(page.getByText("Bounds saved")).toBeVisible();
  await expectNoAxeViolations(page);
  await page.keyboard.press("Escape");

  const cell = page
    .getByRole("row")
    .filter({ has: page.getByRole("rowheader", { name: /^sandbox-echo/ }) })
    .getByRole("gridcell")
    .first();
  await cell.click();
  await page.keyboard.type("5k");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Review 1 change" }).click();
  await page.getByRole("button", { name: "Ask for approval" }).click();
  await expect(page.getByText("This draft waits for a second person.")).toBeVisible();
  await expectNoAxeViolations(page);

  const other = await others.newPage();
  await other.goto(`/projects/${project?.id}/limits`);
  await other.getByRole("button", { name: "Approvals 1" }).click();
  await expect(other.getByText("5,000")).toBeVisible();
  await expectNoAxeViolations(other);
  await other.getByRole("button", { name: "Approve", exact: true }).click();
  await expect(other.getByText("No draft waits for approval.")).toBeVisible();

  await page.getByRole("button", { name: "Check again" }).click();
  await expect(page.getByText("Ben approved this draft.")).toBeVisible();
  await page.getByRole("button", { name: "Save 1 change" }).click();
  await expect(cell).toHaveText("5,000");
});
