import { expect, test } from "../../support/fixtures/test";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { holdScripts } from "../../support/pages/hold-scripts";
import { signIn } from "../../support/pages/sign-in";
import { PHONE } from "../../support/pages/viewports";

test("a project is created, listed and opened", async ({ page, gatehouse }) => {
  await signIn(page, gatehouse);
  await page.goto("/projects");
  await expectNoAxeViolations(page);
  await page.getByRole("button", { name: "Create project" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("Checkout");
  await expectNoAxeViolations(page);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog")).toBeHidden();
  await expect(page.getByRole("region", { name: "Notifications" })).toContainText(
    "Project “Checkout” created",
  );

  const row = page.getByRole("row", { name: /Checkout/ });
  await expect(row.getByRole("button", { name: "Copy project id" })).toBeVisible();
  await page.getByRole("button", { name: "Open it" }).click();
  await expect(page).toHaveURL(/\/projects\/proj_\w+$/);
  await page.getByRole("navigation", { name: "Screens" }).getByRole("link", { name: "Keys" }).click();
  await expect(page.getByText("Programs call models with a key of Checkout")).toBeVisible();
  await expect(page.getByRole("button", { name: /^Project: Checkout/ })).toBeVisible();
});

test("a refused name stays in its field, and Escape closes", async ({ page, gatehouse }) => {
  await signIn(page, gatehouse);
  await page.setViewportSize(PHONE);
  await page.goto("/projects");
  await page.getByRole("button", { name: "Create project" }).click();
  const name = page.getByRole("textbox", { name: "Name" });
  await name.fill("   ");
  await page.keyboard.press("Enter");
  await expect(name).toHaveAttribute("aria-invalid", "true");
  await expect(name).toBeFocused();
  await expect(name).toHaveValue("   ");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();
  await expect(page.getByRole("button", { name: "Create project" })).toBeFocused();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width);
  await expectNoAxeViolations(page);
});

test("a menu that is pressed before the page's scripts have come opens when they have", async ({
  page,
  gatehouse,
}) => {
  await signIn(page, gatehouse);
  const release = await holdScripts(page);
  await page.goto("/tasks", { waitUntil: "commit" });
  await page.getByRole("button", { name: /Switch project/ }).click();
  await expect(page.getByRole("menuitem", { name: "Manage projects" })).toHaveCount(0);
  await release();
  await expect(page.getByRole("menuitem", { name: "Manage projects" })).toBeVisible();
});

test("a page loads no other screen until the pointer is on a link to it", async ({ page, gatehouse }) => {
  await signIn(page, gatehouse);
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.headers()["next-router-prefetch"]) asked.push(new URL(request.url()).pathname);
  });
  await page.goto("/projects");
  await page.waitForLoadState("networkidle");
  expect(asked).toEqual([]);
  await page.getByRole("navigation", { name: "Screens" }).getByRole("link", { name: "People" }).hover();
  await expect.poll(() => asked).toContain("/members");
});
