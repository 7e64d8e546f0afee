import type { Locator, Page } from "@playwright/test";
import { adminApi } from "../../support/clients/admin-api";
import { expect, test } from "../../support/fixtures/test";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { signIn } from "../../support/pages/sign-in";

test.use({ scene: "limit-plans", permissions: ["clipboard-read", "clipboard-write"] });

let api: ReturnType<typeof adminApi>;
let project: { id: string; name: string };

test.beforeEach(async ({ page, gatehouse }, { title }) => {
  api = adminApi(gatehouse);
  project = await api.createProject(title.slice(0, 20));
  await signIn(page, gatehouse);
  await openLimits(page, "all");
});

/** Opens the grid without groups, and waits until it takes keys. */
async function openLimits(page: Page, of: string): Promise<void> {
  await page.goto(`/projects/${of}/limits${of === "all" ? "?group=none" : ""}`);
  await expect(page.getByRole("grid")).toBeVisible();
  await expect(page.locator("[data-taking-over]")).toHaveCount(0, { timeout: 20_000 });
}

/** The limit of requests per minute in a row. */
const requestsOf = (page: Page, name: string): Locator =>
  page
    .getByRole("row")
    .filter({ has: page.getByRole("rowheader", { name: new RegExp(`^${name}`) }) })
    .getByRole("gridcell")
    .first();

async function saveReviewed(page: Page, changes: string): Promise<void> {
  await page.getByRole("button", { name: `Review ${changes}` }).click();
  await page.getByRole("button", { name: `Save ${changes}` }).click();
  await expect(page.getByText(`Saved ${changes}`).first()).toBeVisible();
}

test("Defaults are the first row, and reach every project once they are reviewed", async ({ page }) => {
  const every = requestsOf(page, "Defaults · every model");
  await every.click();
  await page.keyboard.type("450");
  await page.keyboard.press("Enter");
  await expect(page.locator("[data-footer]").getByText("1 change in the defaults")).toBeVisible();
  await page.getByRole("button", { name: "Review 1 change" }).click();
  await expect(page.getByText(/every model · reaches \d+ rows/)).toBeVisible();
  await page.getByRole("button", { name: "Save 1 change" }).click();
  await expect(every).toHaveText("450");
  await openLimits(page, project.id);
  await expect(requestsOf(page, "sandbox-echo")).toHaveText("450");
});

test("Trial is made, set and followed, and its projects change with it", async ({ page }) => {
  await page.getByRole("button", { name: "Plans" }).click();
  await page.getByRole("button", { name: "New plan" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("Trial");
  await page.getByRole("button", { name: "Create plan" }).click();
  await expect(page.getByText("No project follows it")).toBeVisible();
  await expectNoAxeViolations(page);
  await page.keyboard.press("Escape");
  await requestsOf(page, "Trial · every model").click();
  await page.keyboard.type("40");
  await page.keyboard.press("Enter");
  await saveReviewed(page, "1 change");

  await openLimits(page, project.id);
  await page.getByRole("button", { name: "Plan: none" }).click();
  await page.getByRole("menuitemradio", { name: "Trial" }).click();
  await page.getByRole("button", { name: "Follow the plan" }).click();
  await expect(page.getByRole("button", { name: "Plan: Trial" })).toBeVisible();
  await expect(requestsOf(page, "sandbox-echo")).toHaveText("40");

  // A whole group is doubled, and one pasted row finds its place by its names.
  await page.getByRole("button", { name: `Change many: ${project.name}` }).click();
  await page.getByRole("menuitem", { name: "Multiply…" }).click();
  await page.getByRole("textbox", { name: /^By/ }).fill("x2");
  await page.getByRole("checkbox", { name: "Tokens per minute" }).uncheck();
  await expectNoAxeViolations(page);
  await page.getByRole("button", { name: "Multiply", exact: true }).click();
  await expect(requestsOf(page, "sandbox-echo")).toHaveText("4080");
  await requestsOf(page, "sandbox-slow").click();
  await page.evaluate(() => navigator.clipboard.writeText("model\tRequests per minute\nsandbox-echo\t7\n"));
  await page.keyboard.press("ControlOrMeta+V");
  await expect(requestsOf(page, "sandbox-echo")).toHaveText("407");
  await expectNoAxeViolations(page);
});
