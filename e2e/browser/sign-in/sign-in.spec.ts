import { execFileSync } from "node:child_process";
import { readNouns } from "@/lib/console/reads/reads";
import type { Role } from "@/lib/contract/operations/people/roles";
import { adminApi } from "../../support/clients/admin-api";
import { expect, test } from "../../support/fixtures/test";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { listScreens } from "../../support/pages/list-screens";
import { signInByForm } from "../../support/pages/sign-in";

// A scene in which nobody has a password, so the key form comes first.
test.use({ scene: "sign-in" });

const KEY_FIELD = { name: "Admin key" };

function newLink(gatehouse: { consoleUrl: string; dataFolder: string }): string {
  const env = {
    ...process.env,
    GATEHOUSE_DATA: gatehouse.dataFolder,
    PORT: new URL(gatehouse.consoleUrl).port,
  };
  return execFileSync("npm", ["run", "-s", "sign-in-link"], { env, encoding: "utf8" }).trim();
}

test("a pasted key signs in, and neither cookie nor page ever holds it", async ({
  page,
  context,
  gatehouse,
}) => {
  await page.goto("/sign-in");
  await expectNoAxeViolations(page);
  await signInByForm(page, gatehouse.adminKey);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();

  const cookie = (await context.cookies()).find(({ name }) => name === "gatehouse_session");
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Lax" });
  expect(cookie?.value).not.toContain(gatehouse.adminKey);
  expect(await page.content()).not.toContain(gatehouse.adminKey);
  expect(await page.evaluate(() => document.cookie)).not.toContain("gatehouse_session");
});

test("a sign-in link works once, and its token leaves the address bar", async ({
  page,
  context,
  gatehouse,
}) => {
  const link = newLink(gatehouse);
  await page.goto(link);
  await page.waitForURL((url) => url.pathname !== "/sign-in");
  await expect(page).not.toHaveURL(/token/);

  // A page that loses its session goes to the sign-in by itself, so this one is left before.
  await page.goto("about:blank");
  await context.clearCookies();
  await page.goto("/");
  // The page is already open when its address gets the token, so its script must be listening by then.
  await expect(async () => {
    await page.getByRole("button", { name: "Show key" }).click();
    await expect(page.getByRole("button", { name: "Hide key" })).toBeVisible({
      timeout: 500,
    });
  }).toPass();
  await page.goto(link);
  await expect(page.getByText("The link did not sign you in")).toBeVisible();
  await expect(page.getByText("used already or has expired")).toBeVisible();
  await expectNoAxeViolations(page);
});

test("over https the session's cookie is bound to this host, until its sign-out", async ({
  page,
  context,
  gatehouse,
}) => {
  await context.setExtraHTTPHeaders({ "x-forwarded-proto": "https" });
  await signInByForm(page, gatehouse.adminKey);
  const names = async () => (await context.cookies()).map(({ name }) => name);
  expect(await names()).toEqual(["__Host-gatehouse_session"]);
  expect((await context.cookies())[0]).toMatchObject({ secure: true, httpOnly: true, path: "/" });
  await page.getByRole("button", { name: "Signed in as First admin key" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.waitForURL(/\/sign-in/);
  expect(await names()).toEqual([]);
});

test("a mistyped key is refused at once and stays in the field", async ({ page, gatehouse }) => {
  const mistyped = `${gatehouse.adminKey.slice(0, -1)}${gatehouse.adminKey.endsWith("a") ? "b" : "a"}`;
  await page.goto("/sign-in");
  const field = page.getByRole("textbox", KEY_FIELD);
  await field.fill(mistyped);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(field).toHaveAttribute("aria-invalid", "true");
  await expect(field).toHaveValue(mistyped);
  await expectNoAxeViolations(page);
});

test("an ended session leads to sign-in and back to where one was", async ({ page, context, gatehouse }) => {
  await signInByForm(page, gatehouse.adminKey);
  await page.goto("/roles?q=fin");
  const cookie = (await context.cookies()).find(({ name }) => name === "gatehouse_session");
  const other = await context.browser()?.newContext({ baseURL: gatehouse.consoleUrl });
  await other?.addCookies(cookie ? [cookie] : []);
  const otherPage = await other?.newPage();
  await otherPage?.goto("/roles");
  await otherPage?.getByRole("button", { name: "Signed in as First admin key" }).click();
  await otherPage?.getByRole("menuitem", { name: "Sign out" }).click();
  await otherPage?.waitForURL(/sign-in/);
  await other?.close();

  await page.reload();
  await expect(page.getByText("Your session has ended")).toBeVisible();
  await page.getByRole("textbox", KEY_FIELD).fill(gatehouse.adminKey);
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/roles\?q=fin$/);
});

test("a link that says that the session has ended leads on whoever is signed in", async ({
  page,
  gatehouse,
}) => {
  await signInByForm(page, gatehouse.adminKey);
  await page.goto("/sign-in?reason=ended&next=/roles");
  await page.waitForURL((url) => url.pathname === "/roles");
});

test("no page gives a byte of its content without a session, by whichever form of its address", async ({
  page,
  gatehouse,
}) => {
  await signInByForm(page, gatehouse.adminKey);
  const screens = listScreens();
  expect(screens.length).toBeGreaterThan(20);
  const addresses = screens.flatMap((href) => [
    href,
    `${href}/`,
    `/${href}`,
    `${href}?_rsc=1`,
    `${href}.rsc`,
  ]);
  for (const address of addresses) {
    for (const headers of [new Headers(), new Headers({ rsc: "1" })]) {
      const reply = await fetch(`${gatehouse.consoleUrl}${address}`, { headers, redirect: "manual" });
      const text = await reply.text();
      for (const secret of ["sandbox-echo", "First admin key", "Default project"]) {
        expect(text, address).not.toContain(secret);
      }
    }
  }
  for (const read of Object.values(readNouns)) {
    expect((await fetch(`${gatehouse.consoleUrl}/api/${read}`)).status, read).toBe(401);
  }
});

test("a server action called raw is refused without our own Origin or without a session", async ({
  page,
  context,
  gatehouse,
}) => {
  await signInByForm(page, gatehouse.adminKey);
  await page.goto("/roles/new");
  await page.getByRole("textbox", { name: "Name" }).fill("Called raw");
  await page.getByRole("checkbox", { name: /See the organization's projects/ }).check();
  const sent = page.waitForRequest((request) => "next-action" in request.headers());
  await page.getByRole("button", { name: "Create role" }).click();
  const action = await sent;
  await page.waitForURL(/\/roles(\/role_\w+)?$/);
  const cookie = (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join("; ");
  // The form's idempotency key is used up, so this call needs another.
  const body = (action.postData() ?? "")
    .replace("Called raw", "Called raw again")
    .replace(/("idempotencyKey":")[\w-]+/, `$1${crypto.randomUUID()}`);
  const call = (headers: Record<string, string>) =>
    fetch(action.url(), {
      method: "POST",
      body,
      redirect: "manual",
      headers: {
        "next-action": action.headers()["next-action"] ?? "",
        "content-type": action.headers()["content-type"] ?? "",
        ...headers,
      },
    }).then((reply) => reply.text());
  await call({ cookie });
  await call({ cookie, origin: "null" });
  await call({ cookie, origin: "https://elsewhere.example" });
  await call({ origin: gatehouse.consoleUrl });
  const { call: ask } = adminApi(gatehouse);
  const names = async () => (await ask<{ data: Role[] }>("GET", "/roles")).data.map(({ name }) => name);
  expect(await names()).not.toContain("Called raw again");
  // The same request with the console's own Origin works: the origin was the reason for the refusal.
  await call({ cookie, origin: gatehouse.consoleUrl });
  expect(await names()).toContain("Called raw again");
});
