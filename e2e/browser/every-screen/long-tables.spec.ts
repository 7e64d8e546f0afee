import { adminApi } from "../../support/clients/admin-api";
import { expect, test } from "../../support/fixtures/test";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { expectNoSidewaysScroll } from "../../support/pages/expect-no-sideways-scroll";
import { holdScripts } from "../../support/pages/hold-scripts";
import { signIn } from "../../support/pages/sign-in";
import { DESK, PHONE } from "../../support/pages/viewports";

// A scene of its own, so that no other spec finds hundreds of projects.
test.use({ scene: "long-tables" });

const COUNT = 500;

test.beforeAll(async ({ gatehouse }) => {
  const api = adminApi(gatehouse);
  const { data } = await api.call<{ data: unknown[] }>("GET", "/projects?limit=1000");
  for (let made = data.length; made < COUNT; made++) await api.createProject(`Project ${made}`);
});

test.beforeEach(({ page, gatehouse }) => signIn(page, gatehouse));

test("draws only the visible rows of a long table, and reaches every row", async ({ page }) => {
  await page.goto("/projects");
  const table = page.getByRole("table").first();
  for (let shown = 200; shown <= COUNT; shown += 100) {
    await page.getByRole("button", { name: "Load more" }).click();
    await expect(table).toHaveAttribute("aria-rowcount", String(shown + 1));
  }
  await page.evaluate(() => window.scrollTo(0, 0));
  const rows = table.locator("tbody").getByRole("row");
  await expect(rows.first()).toHaveAttribute("aria-rowindex", "2");
  expect(await rows.count()).toBeLessThan(100);
  expect(await page.locator("*").count()).toBeLessThan(5_000);
  await expectNoAxeViolations(page);

  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
  await expect(table.locator(`tr[aria-rowindex="${COUNT + 1}"]`)).toBeInViewport();
  expect(await rows.count()).toBeLessThan(100);
  await page.evaluate(() => window.scrollTo(0, 0));
  await expect(table.locator('tr[aria-rowindex="2"]')).toBeVisible();

  // The focused row stays rendered, however far one scrolls.
  const button = table.locator('tr[aria-rowindex="3"]').getByRole("button").first();
  await button.focus();
  await page.mouse.wheel(0, 8_000);
  await expect(table.locator('tr[aria-rowindex="2"]')).not.toBeAttached();
  await expect(button).toBeFocused();

  await page.setViewportSize(PHONE);
  await page.goto("/projects");
  await page.getByRole("button", { name: "Load more" }).click();
  await expect(table).toHaveAttribute("aria-rowcount", "201");
  await page.evaluate(() => window.scrollTo(0, 0));
  await expect(rows.first()).toBeVisible();
  expect(await rows.count()).toBeLessThan(100);
  await expectNoSidewaysScroll(page);
});

test("the menu of five hundred projects is searched", async ({ page }) => {
  await page.goto("/rate-limits");
  await page.getByRole("button", { name: /Switch project/ }).click();
  const search = page.getByRole("searchbox", { name: "Search projects" });
  await expect(search).toBeFocused();
  expect(await page.getByRole("menuitemradio").count()).toBeLessThanOrEqual(100);
  await expect(page.getByText(/more: type to find them\./)).toBeVisible();
  await expectNoAxeViolations(page);
  await search.fill("nothing so named");
  await expect(page.getByText("Nothing is named “nothing so named”.")).toBeVisible();
  await search.fill("project 432");
  await expect(page.getByRole("menuitemradio")).toHaveCount(1);
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("menuitemradio", { name: "Project 432" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: /Project: Project 432\. Switch project/ })).toBeVisible();
});

test("a filter offers all of five hundred projects on a screen opened by a link", async ({ page }) => {
  await page.goto("/account");
  await page.getByRole("link", { name: "Activity" }).click();
  const filter = page.getByRole("button", { name: /^Project: / });
  await filter.click();
  await expect(page.getByRole("menuitemradio").first()).toBeVisible();
  await page.getByRole("searchbox", { name: "Search project" }).fill("project 432");
  await page.getByRole("menuitemradio", { name: "Project 432" }).click();
  await expect(page).toHaveURL(/project_id=/);
  await page.reload();
  await expect(page.getByRole("button", { name: "Project: Project 432", exact: true })).toBeVisible();
});

test("all rows of a list opened by a link are there, on a phone too", async ({ page, gatehouse }) => {
  const api = adminApi(gatehouse);
  const { data } = await api.call<{ data: unknown[] }>("GET", "/models?limit=1000");
  for (let made = data.length; made < 60; made++) {
    await api.createModel({
      id: `model-${made}`,
      family: "chat",
      rate: "1",
      price: { input_per_1m: "1", output_per_1m: "1" },
      routes: [{ provider: "sandbox", model: "sandbox-echo" }],
    });
  }
  for (const size of [DESK, PHONE]) {
    await page.setViewportSize(DESK);
    await page.goto("/account");
    await page.setViewportSize(size);
    await page.evaluate(() => document.querySelector<HTMLElement>('nav a[href="/models"]')?.click());
    const table = page.getByRole("table", { name: "Models of the organization" });
    await expect(table.locator("tbody").getByRole("row")).toHaveCount(60);
    await expect(table.locator(".gap")).toHaveCount(0);
    await expect(table).toContainText("model-59");
    await expectNoSidewaysScroll(page);
  }
});

test("a list that grows long keeps its rows, its place and its focus until it renders only the visible rows", async ({
  page,
}) => {
  await page.goto("/audit-logs");
  const table = page.getByRole("table", { name: "Changes, newest first" });
  const rows = table.locator("tbody").getByRole("row");
  const more = page.getByRole("button", { name: "Load more" });
  await expect(rows).toHaveCount(50);
  await more.click();
  await expect(rows).toHaveCount(100);
  const link = rows.nth(97).getByRole("link").first();
  await link.focus();
  await link.evaluate((element) => element.setAttribute("data-same", ""));
  const placeOf = () => link.evaluate((element) => element.getBoundingClientRect().top);
  const place = await placeOf();

  const release = await holdScripts(page);
  await more.dispatchEvent("click");
  await expect(rows).toHaveCount(150);
  await expect(link).toBeFocused();
  expect(await placeOf()).toBe(place);
  await release();
  await expect(rows.nth(0)).not.toHaveAttribute("aria-rowindex", "2");
  expect(await rows.count()).toBeLessThan(100);
  const same = table.locator("[data-same]");
  await expect(same).toBeFocused();
  expect(await same.evaluate((element) => element.getBoundingClientRect().top)).toBe(place);
});
