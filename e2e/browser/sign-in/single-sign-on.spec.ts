import { expect, type Page, test } from "@playwright/test";
import { findFreePorts } from "@/lib/dev/find-free-ports";
import { adminApi } from "../../support/clients/admin-api";
import { PASSWORD } from "../../support/clients/join-member";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { type StartedGatehouse, startGatehouse } from "../../support/programs/start-gatehouse";
import { serveMail } from "../../support/servers/mail-server";
import { serveOpenIdProvider } from "../../support/servers/openid-provider";

const people = {
  ada: { email: "ada@example.com", email_verified: true, name: "Ada" },
  stranger: { email: "stranger@example.com", email_verified: true, name: "Stranger" },
  owner: { email: "owner@example.com", email_verified: true, name: "Owner" },
};

let mail: Awaited<ReturnType<typeof serveMail>>;
let provider: Awaited<ReturnType<typeof serveOpenIdProvider>>;
let gatehouse: StartedGatehouse;

test.beforeAll(async () => {
  const [port] = await findFreePorts(1);
  mail = await serveMail();
  const consoleUrl = `http://127.0.0.1:${port}`;
  provider = await serveOpenIdProvider(`${consoleUrl}/sign-in/answer`, people);
  const { issuer, clientId, clientSecret, name } = provider.settings;
  gatehouse = await startGatehouse({
    PORT: String(port),
    CONSOLE_URL: consoleUrl,
    GATEHOUSE_OIDC_ISSUER: issuer,
    GATEHOUSE_OIDC_CLIENT_ID: clientId,
    GATEHOUSE_OIDC_CLIENT_SECRET: clientSecret,
    GATEHOUSE_OIDC_NAME: name,
    GATEHOUSE_SMTP_URL: mail.url,
    GATEHOUSE_MAIL_FROM: "gate@example.com",
  });
  const draft = { email: "ada@example.com", role: "finance", projects: [] };
  await adminApi(gatehouse).call("POST", "/invites", draft);
});
test.afterAll(async () => {
  await gatehouse.stop();
  await provider.close();
  await mail.close();
});

const open = (page: Page, path: string) => page.goto(`${gatehouse.consoleUrl}${path}`);

async function goThrough(page: Page, login: string): Promise<void> {
  await page.getByRole("button", { name: "Continue with Example login" }).click();
  await page.getByPlaceholder("Enter any login").fill(login);
  await page.getByPlaceholder("and password").fill("any");
  await page.getByRole("button", { name: "Sign-in" }).click();
  await page.getByRole("button", { name: "Continue" }).click();
}

test("a person verified by the provider is signed in, and led to the page they requested", async ({
  page,
}) => {
  await open(page, "/sign-in?next=%2Froles%3Fq%3Dfin");
  await expectNoAxeViolations(page);
  await goThrough(page, "ada");
  await page.waitForURL(/\/roles\?q=fin$/);
  await expect(page.getByRole("button", { name: "Signed in as Ada" })).toBeVisible();
  const cookies = await page.context().cookies(`${gatehouse.consoleUrl}/sign-in/answer`);
  expect(cookies.map(({ name }) => name)).not.toContain("gatehouse_sign_on");
});

test("a person who is neither a member nor invited returns with the reason", async ({ page }) => {
  await open(page, "/sign-in?next=%2Froles");
  await goThrough(page, "stranger");
  await expect(page.getByText("no member or invitation has an address")).toBeVisible();
  expect(new URL(page.url()).searchParams.get("next")).toBe("/roles");
  await expectNoAxeViolations(page);
});

test("an unrequested answer or a refusal leads to the sign-in screen and shows none of its text", async ({
  page,
}) => {
  const words = "<b>words of the provider</b>";
  await open(page, "/sign-in/answer?code=1&state=2&next=https%3A%2F%2Fevil.example");
  await expect(page.getByText("started in another browser")).toBeVisible();
  expect(new URL(page.url()).origin).toBe(gatehouse.consoleUrl);

  await open(page, "/sign-in");
  await page.getByRole("button", { name: "Continue with Example login" }).click();
  await page.getByPlaceholder("Enter any login").waitFor();
  const query = new URLSearchParams({ error: "access_denied", error_description: words });
  await open(page, `/sign-in/answer?${query}`);
  await expect(page.getByText("canceled at the provider")).toBeVisible();
  expect(await page.content()).not.toContain("words of the provider");
  // The answer was used up, so a second use is as if no sign-on had been started.
  await open(page, `/sign-in/answer?${query}`);
  await expect(page.getByText("started in another browser")).toBeVisible();
  await expectNoAxeViolations(page);
});

test("without script a link leads to the provider, where no form may", async ({ browser }) => {
  const page = await browser.newPage({ javaScriptEnabled: false });
  await open(page, "/sign-in");
  await page.getByRole("button", { name: "Continue with Example login" }).click();
  await page.getByRole("link", { name: "Go on to Example login" }).click();
  await page.getByPlaceholder("Enter any login").fill("ada");
  await page.getByPlaceholder("and password").fill("any");
  await page.getByRole("button", { name: "Sign-in" }).click();
  await page.getByRole("button", { name: "Continue" }).click();
  await page.waitForURL(`${gatehouse.consoleUrl}/`);
  await page.close();
});

test("an Owner is asked to link single sign-on, links it under Account, signs in with it, and unlinks it", async ({
  page,
}) => {
  const { call } = adminApi(gatehouse);
  const draft = { email: "owner@example.com", role: "owner", projects: [] };
  const { token } = await call<{ token: string }>("POST", "/invites", draft);
  await call("POST", "/invites/accept", { token, name: "Olga", password: PASSWORD });
  await open(page, "/sign-in");
  await goThrough(page, "owner");
  await expect(page.getByText("Link single sign-on first")).toBeVisible();
  await expectNoAxeViolations(page);

  await page.getByLabel("Email address").fill("owner@example.com");
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.keyboard.press("Enter");
  await page.waitForURL(`${gatehouse.consoleUrl}/`);
  await open(page, "/account");
  const section = page.getByRole("region", { name: "Single sign-on" });
  await expect(section).toContainText("Not linked");
  await section.getByRole("button", { name: "Link single sign-on" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Password", { exact: true }).fill("not my password");
  await dialog.getByRole("button", { name: "Continue to Example login" }).click();
  await expect(dialog.getByText("This is not your current password.").first()).toBeVisible();
  await expectNoAxeViolations(page);
  await dialog.getByLabel("Password", { exact: true }).fill(PASSWORD);
  // The provider already knows this browser and asks nothing.
  await page.keyboard.press("Enter");
  await expect(page.getByText("Single sign-on linked")).toBeVisible();
  await expect(section).toContainText("Linked to Example login");
  await expectNoAxeViolations(page);

  await page.getByRole("button", { name: "Signed in as Olga" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.waitForURL(/\/sign-in/);
  await page.getByRole("button", { name: "Continue with Example login" }).click();
  await page.waitForURL(`${gatehouse.consoleUrl}/`);
  await open(page, "/account");
  await section.getByRole("button", { name: "Unlink" }).click();
  await dialog.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.keyboard.press("Enter");
  await expect(section).toContainText("Not linked");
});

test("a forgotten password's link is mailed, and the page says the same of any address", async ({ page }) => {
  for (const email of ["ada@example.com", "nobody@example.com"]) {
    await open(page, "/forgot-password");
    await page.getByLabel("Email address").fill(email);
    if (email.startsWith("ada")) await expectNoAxeViolations(page);
    await page.getByRole("button", { name: "Send the link" }).click();
    await expect(page.getByText(`If ${email} is a member’s address`)).toBeVisible();
  }
  await expectNoAxeViolations(page);
});
