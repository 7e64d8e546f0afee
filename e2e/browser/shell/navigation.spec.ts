import type { Page } from "@playwright/test";
import { expect, test } from "../../support/fixtures/test";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { expectNoSidewaysScroll } from "../../support/pages/expect-no-sideways-scroll";
import { openAsMember } from "../../support/pages/open-as-member";
import { signIn } from "../../support/pages/sign-in";
import { PHONE } from "../../support/pages/viewports";

const sidebar = (page: Page) => page.getByRole("navigation", { name: "Screens" });
const tabs = (page: Page, entry: string) => page.getByRole("navigation", { name: `${entry} tabs` });
const entries = [
  "Overview",
  "Playground",
  "Activity",
  "Usage",
  "Projects",
  "Keys",
  "People",
  "Models",
  "Limits",
  "Billing",
  "Settings",
];

test("eleven entries fit a window of 800 px, and each opens its first tab", async ({ page, gatehouse }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await signIn(page, gatehouse);
  await page.goto("/");
  const links = sidebar(page).getByRole("link");
  await expect(links).toHaveText(entries);
  expect(await sidebar(page).evaluate((nav) => nav.scrollHeight - nav.clientHeight)).toBe(0);
  await links.filter({ hasText: "People" }).click();
  await expect(page).toHaveURL("/members");
  await expect(links.filter({ hasText: "People" })).toHaveAttribute("aria-current", "page");
  await expect(tabs(page, "People").getByRole("link")).toHaveText([
    "Members",
    "Groups",
    "Roles",
    "Directory",
  ]);
  await tabs(page, "People").getByRole("link", { name: "Roles" }).click();
  await expect(page).toHaveURL("/roles");
  await expect(page.getByRole("navigation", { name: "Breadcrumb" })).toHaveText("People/Roles");
  await expectNoAxeViolations(page);
  await page.setViewportSize(PHONE);
  await page.goto("/requests");
  await expect(tabs(page, "Activity").getByRole("link", { name: "Files" })).toBeAttached();
  await expectNoSidewaysScroll(page);
});

test("brackets go to the tab beside, G and a letter to an entry, and not while somebody types", async ({
  page,
  gatehouse,
}) => {
  await signIn(page, gatehouse);
  await page.goto("/members");
  await expect(tabs(page, "People")).toBeVisible();
  await page.keyboard.press("]");
  await expect(page).toHaveURL("/groups");
  await page.keyboard.press("]");
  await page.keyboard.press("]");
  await expect(page).toHaveURL("/roles");
  await page.keyboard.press("[");
  await expect(page).toHaveURL("/groups");
  await page.keyboard.press("g");
  await page.keyboard.press("m");
  await expect(page).toHaveURL("/models");
  await page.getByRole("searchbox").fill("");
  await page.keyboard.type("gb]");
  await expect(page.getByRole("searchbox")).toHaveValue("gb]");
  await expect(page).toHaveURL(/\/models/);
});

test("a tab leads back to what it showed, and the entry to its first tab without filters", async ({
  page,
  gatehouse,
}) => {
  await signIn(page, gatehouse);
  await page.goto("/groups?q=night");
  await tabs(page, "People").getByRole("link", { name: "Roles" }).click();
  await expect(page).toHaveURL("/roles");
  await tabs(page, "People").getByRole("link", { name: "Groups" }).click();
  await expect(page).toHaveURL("/groups?q=night");
  await sidebar(page).getByRole("link", { name: "People" }).click();
  await expect(page).toHaveURL("/members");
});

test("on a line with a second of latency, a click marks the entry at once and shows what is coming", async ({
  page,
  gatehouse,
}) => {
  await signIn(page, gatehouse);
  await page.goto("/calculator");
  const held: (() => void)[] = [];
  await page.route(
    (url) => url.pathname === "/members",
    (route) => new Promise<void>((resolve) => held.push(() => resolve(route.continue()))),
  );
  const people = sidebar(page).getByRole("link", { name: "People" });
  await people.click();
  await expect(people).toHaveAttribute("aria-current", "page");
  await expect(tabs(page, "People")).toBeVisible();
  await expect(page.getByRole("navigation", { name: "Breadcrumb" })).toHaveText("People/Members");
  await expect(page.getByRole("main").getByText("Loading")).toBeAttached();
  await expect(page).toHaveURL("/calculator");
  for (const release of held) release();
  await page.unrouteAll();
  await expect(page).toHaveURL("/members");
  await expect(page.getByRole("main").getByText("Loading")).toHaveCount(0);
});

test("on such a line every entry and every tab is marked by the click on it, before its screen comes", async ({
  page,
  gatehouse,
}) => {
  await signIn(page, gatehouse);
  for (const name of entries.slice(1)) {
    await page.goto("/account");
    const release = await holdScreens(page);
    const entry = sidebar(page).getByRole("link", { name, exact: true });
    await entry.click();
    await expect(entry).toHaveAttribute("aria-current", "page");
    await expect(page).toHaveURL("/account");
    await release();
    await expect(page).not.toHaveURL("/account");
    const found = await page
      .getByRole("navigation", { name: `${name} tabs` })
      .getByRole("link")
      .allTextContents();
    for (const label of found.slice(1)) {
      const again = await holdScreens(page);
      const tab = tabs(page, name).getByRole("link", { name: label, exact: true });
      const before = page.url();
      await tab.click();
      await expect(tab).toHaveAttribute("aria-current", "page");
      expect(page.url()).toBe(before);
      await again();
      await expect(page).not.toHaveURL(before);
    }
  }
});

/** Holds the screens that are asked for, until the returned function lets them come. */
async function holdScreens(page: Page): Promise<() => Promise<void>> {
  const held: (() => void)[] = [];
  const isScreen = (url: URL) => url.searchParams.has("_rsc");
  await page.route(isScreen, (route) => new Promise<void>((come) => held.push(() => come(route.continue()))));
  return async () => {
    for (const release of held) release();
    await page.unroute(isScreen);
  };
}

test("an entry with one tab left takes that tab's name, and nobody is offered what they can't open", async ({
  page,
  context,
  gatehouse,
}) => {
  await openAsMember(context, gatehouse, { email: "hana@example.com", name: "Hana", role: "finance" });
  await page.goto("/");
  await expect(sidebar(page).getByRole("link")).toHaveText([
    "Overview",
    "Requests",
    "Usage",
    "Models",
    "Spend limits",
    "Billing",
  ]);
  await page.goto("/spend-limits");
  await expect(page.getByRole("navigation", { name: "Breadcrumb" })).toHaveText("Spend limits");
  await expect(tabs(page, "Limits")).toHaveCount(0);
});
