import type { Page } from "@playwright/test";
import { adminApi } from "../../support/clients/admin-api";
import { joinMember, PASSWORD } from "../../support/clients/join-member";
import { computeOneTimeCode } from "../../support/clients/one-time-code";
import { createOrganizationClient } from "../../support/clients/organization-client";
import { expect, test } from "../../support/fixtures/test";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { expectFitsPhone } from "../../support/pages/expect-no-sideways-scroll";
import { findField } from "../../support/pages/find-on-page";
import { signInByForm, typePassword } from "../../support/pages/sign-in";
import { runScript } from "../../support/programs/run-script";
import type { Gatehouse } from "../../support/programs/start-gatehouse";

test.use({ scene: "sign-in-people" });

/** Records so many failed attempts by others that the next attempt must wait a minute. */
function pauseAttempts({ dataFolder }: Gatehouse, name: string): void {
  runScript("pause-attempts", dataFolder, name);
}

const BEN = { name: "Ben", role: "finance" };
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

async function invite(gatehouse: Gatehouse, email: string): Promise<string> {
  const { call } = adminApi(gatehouse);
  const draft = { email, role: "finance", projects: [] };
  return (await call<{ token: string }>("POST", "/invites", draft)).token;
}

async function expectGood(page: Page): Promise<void> {
  await expectNoAxeViolations(page);
  await expectFitsPhone(page);
}

test("an invited person accepts, lands on the overview, and comes back by password", async ({
  browser,
  page,
  context,
  gatehouse,
}) => {
  const token = await invite(gatehouse, "ada@example.com");
  await signInByForm(page, gatehouse.adminKey);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  const cookie = async () => (await context.cookies()).find(({ name }) => name === "gatehouse_session");
  const before = await cookie();

  await page.goto(`/invite#token=${token}`);
  await expect(page.getByText("invites you as Finance")).toBeVisible();
  await expect(page.getByText("You are signed in as First admin key")).toBeVisible();
  await expect(page).not.toHaveURL(/token/);
  await expectGood(page);

  await button(page, "Accept and sign in").click();
  await expect(page.getByText("Your name must not be empty.")).toBeVisible();
  await expect(findField(page, "Your name")).toBeFocused();
  await findField(page, "Your name").fill("Ada");
  await findField(page, "Password").fill("ada@example");
  await expect(page.getByText("11 characters so far")).toBeVisible();
  await findField(page, "Password").fill("ada@example.com1");
  await button(page, "Accept and sign in").click();
  await expect(page.getByText("The password must not be taken from the email address.")).toBeVisible();
  await expect(findField(page, "Password")).toBeFocused();
  await expectGood(page);
  await findField(page, "Password").fill(PASSWORD);
  await page.keyboard.press("Enter");
  await page.waitForURL((url) => url.pathname === "/");
  await page.getByRole("button", { name: "Signed in as Ada" }).click();
  expect((await cookie())?.value).not.toBe(before?.value);
  const replaced = await browser.newContext({ baseURL: gatehouse.consoleUrl });
  await replaced.addCookies(before ? [before] : []);
  expect((await replaced.request.get("/api/me")).status()).toBe(401);
  await replaced.close();

  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.waitForURL(/\/sign-in/);
  await expectGood(page);
  await typePassword(page, "Ada@Example.com");
  await page.waitForURL((url) => url.pathname === "/");
  const { call } = adminApi(gatehouse);
  const { data } = await call<{ data: { id: string }[] }>("GET", "/users?emails=ada@example.com");
  const sessions = await call<{ data: { user_agent: string }[] }>("GET", `/users/${data[0]?.id}/sessions`);
  expect(sessions.data[0]?.user_agent).toContain("Chrome");
});

test("a used invitation and an incomplete link say whom to ask", async ({ page, gatehouse }) => {
  const token = await invite(gatehouse, "cyd@example.com");
  await page.goto(`/invite#token=${token}`);
  await findField(page, "Your name").fill("Cyd");
  await findField(page, "Password").fill(PASSWORD);
  const accepted = { token, name: "Cyd", password: PASSWORD };
  await adminApi(gatehouse).call("POST", "/invites/accept", accepted);
  await button(page, "Accept and sign in").click();
  await expect(page.getByText("This invitation no longer works")).toBeVisible();
  await page.goto("/forgot-password");
  await page.goto(`/invite#token=${token}`);
  await expect(page.getByText("This invitation no longer works")).toBeVisible();
  await expectGood(page);
  await page.goto("/forgot-password");
  await page.goto("/invite");
  await expect(page.getByText("This link is incomplete")).toBeVisible();
  await expectGood(page);
});

test("a wrong password is reported at its field and keeps the address; too many start a countdown", async ({
  page,
  gatehouse,
}) => {
  await joinMember(gatehouse, "dan@example.com", BEN);
  await typePassword(page, "dan@example.com", "not my password");
  await expect(page.getByText("The email address or the password is wrong.")).toBeVisible();
  await expect(findField(page, "Email address")).toHaveValue("dan@example.com");
  await expect(findField(page, "Password")).toHaveValue("");
  await expect(findField(page, "Password")).toBeFocused();
  await expectGood(page);
  pauseAttempts(gatehouse, "password dan@example.com");
  await page.clock.install();
  await findField(page, "Password").fill(PASSWORD);
  await page.keyboard.press("Enter");
  await expect(page.getByText(/Try again in 6\d seconds/)).toBeVisible();
  await expect(findField(page, "Email address")).toHaveValue("dan@example.com");
  await page.clock.runFor(10_000);
  await expect(page.getByText(/Try again in 5\d seconds/)).toBeVisible();
  await expectGood(page);
  await page.clock.runFor(60_000);
  await expect(page.getByText("You can try again now")).toBeVisible();
  await expectGood(page);

  await page.getByRole("link", { name: "Use an admin key instead" }).click();
  await expect(page.getByRole("textbox", { name: "Admin key" })).toBeVisible();
  await expectGood(page);
  await page.getByRole("link", { name: "Use your email address and password instead" }).click();
  await expect(findField(page, "Email address")).toBeVisible();
});

test("the second step takes the app's code by itself, or a backup code", async ({ page, gatehouse }) => {
  const { token } = await joinMember(gatehouse, "eve@example.com", BEN);
  const ask = createOrganizationClient(gatehouse.baseUrl);
  const draft = (await ask("POST", "/me/two_factor", { password: PASSWORD }, token)).body;
  const uri = String(draft.otpauth_uri);
  await ask("POST", "/me/two_factor/confirm", { code: computeOneTimeCode(uri) }, token);

  await page.goto("/sign-in?next=%2Froles%3Fq%3Dfin");
  await findField(page, "Email address").fill("eve@example.com");
  await findField(page, "Password").fill(PASSWORD);
  await page.keyboard.press("Enter");
  const code = findField(page, "Code");
  await expect(code).toBeFocused();
  await expect(code).toHaveAttribute("autocomplete", "one-time-code");
  await expectGood(page);
  await code.fill(computeOneTimeCode(uri, -20));
  await expect(page.getByText("This code is wrong or was used already.")).toBeVisible();
  await expectGood(page);
  const next = computeOneTimeCode(uri, 1);
  await code.fill(`${next.slice(0, 3)} ${next.slice(3)}`);
  await page.waitForURL(/\/roles\?q=fin$/);

  // A page that loses its session loads itself anew.
  await page.goto("about:blank");
  await page.context().clearCookies();
  await typePassword(page, "eve@example.com");
  await button(page, "Use a backup code instead").click();
  await expect(findField(page, "Backup code")).toBeFocused();
  await expectGood(page);
  await findField(page, "Backup code").fill(String((draft.backup_codes as string[])[0]));
  await button(page, "Sign in").click();
  await page.waitForURL((url) => url.pathname === "/");

  await page.goto("about:blank");
  await page.context().clearCookies();
  await typePassword(page, "eve@example.com");
  pauseAttempts(gatehouse, "code eve@example.com");
  await code.fill(computeOneTimeCode(uri, -30));
  await expect(page.getByText(/Try again in 6\d seconds/)).toBeVisible();
  await expectGood(page);
});

test("without mail an administrator's link sets a new password", async ({ page, gatehouse }) => {
  const { id } = await joinMember(gatehouse, "fay@example.com", BEN);
  await page.goto("/sign-in");
  await page.getByRole("link", { name: "Forgot your password?" }).click();
  await expect(page.getByText("Ask an administrator of your organization")).toBeVisible();
  await expect(page.getByRole("textbox")).toHaveCount(0);
  await expectGood(page);

  const { call } = adminApi(gatehouse);
  const { token } = await call<{ token: string }>("POST", `/users/${id}/password_resets`, {});
  await page.goto(`/new-password#token=${token}`);
  await expect(findField(page, "New password")).toBeVisible();
  await expect(page).not.toHaveURL(/token/);
  await findField(page, "New password").fill("too short");
  await page.keyboard.press("Enter");
  await expect(page.getByText("New password must be at least 12 characters.")).toBeVisible();
  await expectGood(page);
  await findField(page, "New password").fill("another horse of wood");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Password set")).toBeVisible();
  await expectGood(page);
  await typePassword(page, "fay@example.com", "another horse of wood");
  await page.waitForURL((url) => url.pathname === "/");

  await page.goto(`/new-password#token=${token}`);
  await findField(page, "New password").fill("third horse of wood");
  await page.keyboard.press("Enter");
  await expect(page.getByText("This link no longer works")).toBeVisible();
  await expectGood(page);

  // What was said about the old link isn't said about a new one in the same tab.
  const fresh = await call<{ token: string }>("POST", `/users/${id}/password_resets`, {});
  await page.evaluate((newToken) => location.assign(`#token=${newToken}`), fresh.token);
  await expect(findField(page, "New password")).toBeVisible();
  await expect(page.getByText("This link no longer works")).toHaveCount(0);
});

test.describe("without script", () => {
  test.use({ javaScriptEnabled: false });

  test("password and code are plain forms", async ({ page, gatehouse }) => {
    const { token } = await joinMember(gatehouse, "gus@example.com", BEN);
    const ask = createOrganizationClient(gatehouse.baseUrl);
    const draft = (await ask("POST", "/me/two_factor", { password: PASSWORD }, token)).body;
    const uri = String(draft.otpauth_uri);
    await ask("POST", "/me/two_factor/confirm", { code: computeOneTimeCode(uri) }, token);
    await typePassword(page, "gus@example.com", "not my password");
    await expect(page.getByText("The email address or the password is wrong.")).toBeVisible();
    await expect(findField(page, "Email address")).toHaveValue("gus@example.com");
    await findField(page, "Password").fill(PASSWORD);
    await button(page, "Sign in").click();
    await findField(page, "Code").fill(computeOneTimeCode(uri, -20));
    await button(page, "Sign in").click();
    await expect(page.getByText("This code is wrong or was used already.")).toBeVisible();
    await findField(page, "Code").fill(computeOneTimeCode(uri, 1));
    await button(page, "Sign in").click();
    await page.waitForURL((url) => url.pathname === "/");
  });
});
