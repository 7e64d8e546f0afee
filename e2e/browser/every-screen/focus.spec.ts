import type { Page } from "@playwright/test";
import { adminApi } from "../../support/clients/admin-api";
import { joinMember } from "../../support/clients/join-member";
import { expect, test } from "../../support/fixtures/test";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { expectNoSidewaysScroll } from "../../support/pages/expect-no-sideways-scroll";
import { receiptCosts } from "../../support/pages/receipts";
import { signIn } from "../../support/pages/sign-in";
import { DESK } from "../../support/pages/viewports";

test.use({ scene: "focus" });

test.beforeEach(({ page, gatehouse }) => signIn(page, gatehouse));

const PHONE = { width: 390, height: 560 };

test("a dialog opens on its first field, on a phone too", async ({ page, gatehouse }) => {
  const { id } = await joinMember(gatehouse, "ada@example.com", { name: "Ada" });
  for (const size of [DESK, PHONE]) {
    await page.setViewportSize(size);
    await page.goto("/members");
    await page.getByRole("button", { name: "Invite member" }).first().click();
    await expect(page.getByRole("dialog").getByLabel("Email")).toBeFocused();
    await page.keyboard.press("Escape");
    await page.goto(`/members/${id}`);
    await page.getByRole("button", { name: "Change role" }).click();
    const chosen = page.getByRole("dialog").getByRole("radio", { checked: true });
    await expect(chosen).toBeFocused();
    await page.goto("/balance");
    const entries = page.getByRole("main").getByRole("table");
    await entries
      .getByRole("link", { name: /Payment/ })
      .first()
      .click();
    await expect(page.getByRole("dialog").getByRole("link", { name: "Open page" })).toBeFocused();
    await expect(page.getByRole("dialog").locator("time")).toContainText(/\d{4}/);
  }
});

test("the palette says whether it found something, and how much", async ({ page }) => {
  await page.goto("/roles");
  await page.keyboard.press("Control+K");
  const search = page.getByRole("combobox", { name: "Screen, project or command" });
  await search.fill("bal");
  await expect(search).toHaveAttribute("aria-expanded", "true");
  await expect(page.getByRole("dialog").getByRole("status")).toHaveText(/^\d+ results?$/);
  await search.fill("nothing so named");
  await expect(search).toHaveAttribute("aria-expanded", "false");
  await expect(page.getByRole("dialog").getByRole("status")).toContainText("Nothing is named");
  await expectNoAxeViolations(page);
});

test("text is not in the tab order", async ({ page }) => {
  for (const path of ["/", "/balance", "/members", "/keys", "/models", "/account"]) {
    await page.goto(path);
    await expect(page.locator("#main h1")).toBeVisible();
    await expect(page.locator("time[tabindex], [role=note][tabindex]")).toHaveCount(0);
  }
});

test("two answers with tables are two groups, not two landmarks of one name", async ({ page }) => {
  await page.goto("/playground?model=sandbox-echo");
  const message = page.getByRole("textbox", { name: "Message", exact: true });
  for (const name of ["first", "second"]) {
    await message.fill(`| ${name} | b |\n|---|---|\n| 1 | 2 |`);
    await message.press("Enter");
    await expect(page.getByRole("columnheader", { name })).toBeVisible();
    await expect(receiptCosts(page)).toHaveCount(name === "first" ? 1 : 2);
  }
  await expectNoAxeViolations(page);
});

test("a tooltip stays beside its element while the page scrolls", async ({ page, gatehouse }) => {
  const api = adminApi(gatehouse);
  for (let made = 0; made < 30; made++) await api.createProject(`Scrolled ${made}`);
  await page.setViewportSize({ width: 1280, height: 500 });
  await page.goto("/projects");
  const row = page.getByRole("row", { name: /Scrolled 5 / });
  const button = row.getByRole("button", { name: /^Copy/ });
  await row.scrollIntoViewIfNeeded();
  // By keyboard, since the pointer would leave an element that scrolls away under it.
  await page.keyboard.press("Tab");
  await button.focus();
  const tooltip = page.locator("[role=tooltip]:popover-open");
  await expect(tooltip).toBeVisible();
  const distance = async () => {
    const [box, anchor] = [await tooltip.boundingBox(), await button.boundingBox()];
    return Math.abs((box?.y ?? 0) + (box?.height ?? 0) - (anchor?.y ?? 0));
  };
  await expect.poll(distance).toBeLessThan(12);
  await page.mouse.wheel(0, 120);
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(50);
  await expect.poll(distance).toBeLessThan(12);
});

test("a tooltip describes its element while it is open, and leaves nothing behind", async ({ page }) => {
  await page.goto("/audit-logs");
  const time = page.locator("#main time").first();
  const tooltips = page.getByRole("tooltip", { includeHidden: true });
  await expect(time).toBeVisible();
  await expect(tooltips).toHaveCount(0);
  await time.hover();
  await expect(tooltips).toBeVisible();
  await expect(tooltips).toContainText("UTC");
  await expect(time).toHaveAccessibleDescription(/UTC/);
  await expectNoAxeViolations(page);
  await page.mouse.move(0, 0);
  await expect(tooltips).toHaveCount(0);
  await expect(time).not.toHaveAttribute("aria-describedby");
});

test("opening a screen leaves the declaration of the color schemes alone", async ({ page }) => {
  await page.goto("/projects");
  const declaration = page.locator('meta[name="color-scheme"]');
  await expect(declaration).toHaveAttribute("content", "light dark");
  // Written anew, the browser would compute the style of every element again.
  await declaration.evaluate((meta) => meta.setAttribute("data-kept", ""));
  await page.locator('nav a[href="/models"]').click();
  await expect(page.getByRole("heading", { level: 1, name: "Models" })).toBeVisible();
  await expect(page).toHaveTitle(/Models/);
  await expect(declaration).toHaveCount(1);
  await expect(declaration).toHaveAttribute("data-kept");
});

test("no table overflows or breaks words by the letter where a page is zoomed", async ({
  page,
  gatehouse,
}) => {
  const api = adminApi(gatehouse);
  await api.createModel({
    id: "a-model-with-a-rather-long-name-2027-01-15",
    family: "chat",
    rate: "0.123456789",
    price: { input_per_1m: "1234.123456789", output_per_1m: "12345.123456789" },
    routes: [{ provider: "sandbox", model: "sandbox-echo" }],
  });
  for (const path of ["/models", "/rate-limits", "/members", "/keys", "/balance", "/roles", "/projects"]) {
    await page.goto(path);
    await expect(page.locator("#main :is(table, [role=table], [role=grid], h2)").first()).toBeAttached();
    // 1,440 px at 200 %, and widths between that and a whole window.
    for (const width of [640, 720, 900, 1030, 1200]) {
      await page.setViewportSize({ width, height: 900 });
      await expectNoSidewaysScroll(page);
      expect(await brokenWords(page), `${path} at ${width}`).toEqual([]);
    }
  }
  await page.setViewportSize({ width: 720, height: 900 });
  await page.goto("/models");
  await expectNoAxeViolations(page);
});

/** Cells whose text has more lines than words, or overflows its column. */
function brokenWords(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>("#main table td")]
      .filter((cell) => cell.getClientRects().length > 0)
      .filter((cell) => {
        const text = document.createRange();
        text.selectNodeContents(cell);
        const lines = new Set([...text.getClientRects()].map(({ bottom }) => Math.round(bottom / 8)));
        const words = cell.innerText.split(/[\s\-_./:]+/).length;
        return lines.size > words + 1 || cell.scrollWidth > cell.clientWidth + 1;
      })
      .map((cell) => cell.innerText),
  );
}
