import { expect, test } from "../../support/fixtures/test";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { expectNoSidewaysScroll } from "../../support/pages/expect-no-sideways-scroll";
import { signIn } from "../../support/pages/sign-in";
import { PHONE } from "../../support/pages/viewports";

test("the guide is read without a session, and its links lead from page to page", async ({ page }) => {
  await page.goto("/guide");
  await expect(page).toHaveTitle("Guide · Gatehouse");
  await expectNoAxeViolations(page);
  await page.getByRole("main").getByRole("link", { name: "Limits" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Limits" })).toBeVisible();
  await expect(page).toHaveTitle("Limits · Guide · Gatehouse");
  await expectNoAxeViolations(page);
  await page.getByRole("link", { name: "balance and spend limits" }).click();
  await expect(page).toHaveURL("/guide/money");
  await page.goto("/guide/providers");
  await expect(page.getByText("task_api:")).toBeVisible();
  await page.goto("/guide/security");
  await page.getByRole("link", { name: "a proxy with TLS" }).click();
  await expect(page).toHaveURL("/guide/operating#behind-a-proxy");
  await expect(page.locator("#behind-a-proxy")).toBeInViewport();
});

test("the guide fits a phone, and an address without a page is none", async ({ page }) => {
  await page.setViewportSize(PHONE);
  for (const address of ["/guide", "/guide/configuration", "/guide/asvs"]) {
    await page.goto(address);
    await expectNoSidewaysScroll(page);
    await expectNoAxeViolations(page);
  }
  const reply = await page.goto("/guide/nothing");
  expect(reply?.status()).toBe(404);
});

test("the palette finds the guide's pages by title and heading", async ({ page, gatehouse }) => {
  await signIn(page, gatehouse);
  await page.goto("/calculator");
  await page.keyboard.press("ControlOrMeta+K");
  await expect(page.getByRole("combobox", { name: "Screen, project or command" })).toBeFocused();
  await page.keyboard.type("behind a proxy");
  await expect(page.getByRole("option", { name: /Behind a proxy Guide/ })).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/guide/operating#behind-a-proxy");
});

test("a screen links to the page that explains it", async ({ page, gatehouse }) => {
  await signIn(page, gatehouse);
  for (const [screen, link, address] of [
    ["/balance", "Money, explained", "/guide/money"],
    ["/members", "Signing in, explained", "/guide/signing-in"],
    ["/audit-logs", "How the log is protected", "/guide/security#logs"],
  ] as const) {
    await page.goto(screen);
    await expect(page.getByRole("link", { name: link })).toHaveAttribute("href", address);
  }
});
