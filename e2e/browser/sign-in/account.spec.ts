import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { adminApi } from "../../support/clients/admin-api";
import { PASSWORD } from "../../support/clients/join-member";
import { computeOneTimeCode } from "../../support/clients/one-time-code";
import { createOrganizationClient } from "../../support/clients/organization-client";
import { signInElsewhere } from "../../support/clients/sign-in-elsewhere";
import { expect, test } from "../../support/fixtures/test";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { expectFitsPhone } from "../../support/pages/expect-no-sideways-scroll";
import { findField } from "../../support/pages/find-on-page";
import { openAsMember } from "../../support/pages/open-as-member";
import { openSpecificationConsole } from "../../support/pages/open-specification-console";
import { runScript } from "../../support/programs/run-script";
import type { Gatehouse } from "../../support/programs/start-gatehouse";

test.use({ scene: "account" });

const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0";
const SAFARI =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1";

const region = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

async function fetchStatus({ baseUrl }: Gatehouse, token: string): Promise<number> {
  return (await createOrganizationClient(baseUrl)("GET", "/me", undefined, token)).status;
}

test("a member sees their identity in the menu and changes their password from it", async ({
  page,
  context,
  gatehouse,
}) => {
  const { id: projectId } = await adminApi(gatehouse).createProject("Search");
  const email = "ada@example.com";
  const projects = [{ id: projectId, role: "member" }];
  const { token } = await openAsMember(context, gatehouse, { email, name: "Ada", role: "reader", projects });
  const other = await signInElsewhere(gatehouse, { email, userAgent: FIREFOX });
  await page.goto("/");
  await page.getByRole("button", { name: "Signed in as Ada" }).click();
  await page.getByRole("menuitem", { name: "Account" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Account" })).toBeVisible();

  const you = region(page, "You");
  await expect(you).toContainText(email);
  await expect(you).toContainText("Reader");
  await you.getByText("Search").click();
  await expect(you.getByText("api.playground.write")).toBeVisible();
  await expectNoAxeViolations(page);
  await expectFitsPhone(page);

  const save = region(page, "Password").getByRole("button", { name: "Change password" });
  await findField(page, "Current password").fill("not my password");
  await findField(page, "New password").fill("too short");
  await save.click();
  await expect(page.getByText("New password must be at least 12 characters.")).toBeVisible();
  await expect(findField(page, "New password")).toBeFocused();
  await findField(page, "New password").fill("another horse of wood");
  await page.getByRole("button", { name: "Show new password" }).click();
  await expect(findField(page, "New password")).toHaveAttribute("type", "text");
  await save.click();
  await expect(page.getByText("This is not your current password.")).toBeVisible();
  await expect(findField(page, "Current password")).toBeFocused();
  await expect(findField(page, "New password")).toHaveValue("another horse of wood");
  await expectNoAxeViolations(page);

  await expect(region(page, "Sessions").getByText("Firefox on Linux")).toBeVisible();
  await findField(page, "Current password").fill(PASSWORD);
  await page.keyboard.press("Enter");
  await expect(page.getByText("All your other sessions were ended.")).toBeVisible();
  await expect(region(page, "Sessions").getByText("Firefox on Linux")).toBeHidden();
  await expect(findField(page, "New password")).toHaveValue("");
  await expectNoAxeViolations(page);
  expect([await fetchStatus(gatehouse, token), await fetchStatus(gatehouse, other)]).toEqual([200, 401]);
  const again = { email, password: "another horse of wood", userAgent: FIREFOX };
  expect(await fetchStatus(gatehouse, await signInElsewhere(gatehouse, again))).toBe(200);
});

test("too many wrong passwords are refused with the time to wait, and the input is kept", async ({
  page,
  context,
  gatehouse,
}) => {
  const { token } = await openAsMember(context, gatehouse, {
    email: "eve@example.com",
    name: "Eve",
    role: "reader",
  });
  const { body } = await createOrganizationClient(gatehouse.baseUrl)("GET", "/me", undefined, token);
  const counted = `password in ${body.id}`;
  runScript("pause-attempts", gatehouse.dataFolder, counted);
  await page.goto("/account");
  await findField(page, "Current password").fill(PASSWORD);
  await findField(page, "New password").fill("another horse of wood");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert").filter({ hasText: /Try again in 6\d s\./ })).toBeVisible();
  await expect(findField(page, "Current password")).toHaveValue(PASSWORD);
});

test("two-factor sign-in is turned on with the app's code, asked for from then on, and turned off", async ({
  page,
  context,
  gatehouse,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const email = "hal@example.com";
  await openAsMember(context, gatehouse, { email, name: "Hal", role: "reader" });
  await page.goto("/account");
  const section = region(page, "Two-factor sign-in");
  const dialog = page.getByRole("dialog").first();
  await expect(section).toContainText("Off");
  await section.getByRole("button", { name: "Turn on" }).click();
  await expect(dialog.getByLabel("Password", { exact: true })).toBeFocused();
  await page.keyboard.type("not my password");
  await page.keyboard.press("Enter");
  await expect(dialog).toContainText("This is not your current password.");
  await expectNoAxeViolations(page);
  await expectFitsPhone(page);
  await dialog.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.keyboard.press("Enter");

  const qrCode = dialog.getByRole("img", { name: "QR code for the authenticator app" });
  await expect(qrCode).toBeVisible();
  await page.emulateMedia({ colorScheme: "dark" });
  await expect(qrCode.locator("path").first()).toHaveCSS("fill", "rgb(255, 255, 255)");
  await expectNoAxeViolations(page);
  await expectFitsPhone(page);
  await dialog.getByRole("button", { name: "Copy secret" }).click();
  const secret = await page.evaluate(() => navigator.clipboard.readText());
  await dialog.getByRole("button", { name: "Copy backup codes" }).click();
  const codes = await page.evaluate(() => navigator.clipboard.readText());
  expect(codes.split("\n")).toHaveLength(10);
  const download = page.waitForEvent("download");
  await dialog.getByRole("button", { name: "Download backup codes" }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe("gatehouse-backup-codes.txt");
  expect(await readFile(await file.path(), "utf8")).toContain(codes);

  await dialog.getByRole("button", { name: "Continue" }).click();
  await expect(dialog).toContainText("Save the backup codes first");
  const kept = dialog.getByRole("checkbox", { name: "I have saved them" });
  await expect(kept).toBeFocused();
  await expectNoAxeViolations(page);
  await kept.check();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog", { name: "Close without turning it on?" })).toBeVisible();
  await expectNoAxeViolations(page);
  await page.getByRole("button", { name: "Cancel" }).click();
  await dialog.getByRole("button", { name: "Continue" }).click();

  const uri = `otpauth://totp/x?secret=${secret}`;
  const code = dialog.getByLabel("Code", { exact: true });
  await expect(code).toBeFocused();
  await page.keyboard.type(computeOneTimeCode(uri, -20));
  await page.keyboard.press("Enter");
  await expect(dialog).toContainText("This code is wrong.");
  await expectNoAxeViolations(page);
  await expectFitsPhone(page);
  await code.fill(computeOneTimeCode(uri).replace(/^.../, "$& "));
  await page.keyboard.press("Enter");
  await expect(dialog).toBeHidden();
  await expect(section).toContainText("10 backup codes left");
  await expectNoAxeViolations(page);
  const challenged = await createOrganizationClient(gatehouse.baseUrl)("POST", "/sign_in", {
    email,
    password: PASSWORD,
  });
  expect(challenged.body.object).toBe("organization.sign_in_challenge");

  await section.getByRole("button", { name: "Turn off" }).click();
  await dialog.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await expectNoAxeViolations(page);
  await expectFitsPhone(page);
  await page.keyboard.press("Enter");
  await expect(section).toContainText("Off");
  const entered = await createOrganizationClient(gatehouse.baseUrl)("POST", "/sign_in", {
    email,
    password: PASSWORD,
  });
  expect(entered.body.object).toBe("organization.session");
});

test("a session elsewhere is ended, alone or with all others, and its token is refused", async ({
  page,
  context,
  gatehouse,
}) => {
  const email = "cyd@example.com";
  const { token } = await openAsMember(context, gatehouse, { email, name: "Cyd", role: "reader" });
  const firefox = await signInElsewhere(gatehouse, { email, userAgent: FIREFOX });
  const safari = await signInElsewhere(gatehouse, { email, userAgent: SAFARI });
  const curl = await signInElsewhere(gatehouse, { email, userAgent: "curl/8.14.1" });
  const standing = () =>
    Promise.all([token, firefox, safari, curl].map((one) => fetchStatus(gatehouse, one)));
  await page.goto("/account");
  const sessions = region(page, "Sessions");
  await expect(sessions.getByRole("row")).toHaveCount(5);
  const current = sessions.getByRole("row", { name: "this session" });
  await expect(current.getByRole("button", { name: /^End/ })).toHaveCount(0);
  await expectNoAxeViolations(page);

  await sessions.getByRole("button", { name: "End session of Firefox on Linux" }).click();
  const dialog = page.getByRole("dialog", { name: "End the session of Firefox on Linux?" });
  await expect(dialog).toContainText("signed out immediately");
  await expectNoAxeViolations(page);
  await expectFitsPhone(page);
  await dialog.getByRole("button", { name: "End session" }).click();
  await expect(sessions.getByRole("row")).toHaveCount(4);
  expect(await standing()).toEqual([200, 401, 200, 200]);

  await sessions.getByRole("button", { name: "End all others" }).click();
  const all = page.getByRole("dialog", { name: "End the 2 other sessions?" });
  await expectNoAxeViolations(page);
  await all.getByRole("button", { name: "End sessions" }).click();
  await expect(sessions.getByRole("row")).toHaveCount(2);
  await expect(sessions.getByRole("button", { name: "End all others" })).toBeHidden();
  expect(await standing()).toEqual([200, 401, 401, 401]);
});

test("a session opened with an admin key says so, and has sessions but no password", async ({
  page,
  gatehouse,
}) => {
  await page.goto(gatehouse.signInUrl);
  await page.waitForURL((url) => url.pathname !== "/sign-in");
  await page.goto("/account");
  await expect(page.getByText("This session was opened with an admin key")).toBeVisible();
  await expect(region(page, "Sessions").getByText("this session")).toBeVisible();
  await expect(region(page, "Password")).toHaveCount(0);
  await expect(region(page, "Two-factor sign-in")).toHaveCount(0);
  await expectNoAxeViolations(page);
  await expectFitsPhone(page);
});

test("a specification-only gateway has no account to show", async ({ browser, elsewhere }) => {
  const { page, stop } = await openSpecificationConsole(browser, elsewhere);
  await page.goto("/");
  await page.getByRole("button", { name: /^Signed in as/ }).click();
  await expect(page.getByRole("menuitem", { name: "Sign out" })).toBeVisible();
  await expect(page.getByRole("menuitem", { name: "Account" })).toHaveCount(0);
  await page.goto("/account");
  await expect(page.getByRole("heading", { name: "This gateway doesn’t know who signs in" })).toBeVisible();
  await expectNoAxeViolations(page);
  await stop();
});
