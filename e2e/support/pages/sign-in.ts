import type { Page } from "@playwright/test";
import { sealSession } from "@/lib/console/sign-in/seal-session";
import { HOUR_S } from "@/lib/contract/durations";
import type { Session } from "@/lib/contract/operations/sign-in/sessions";
import { loadSecret } from "@/lib/secret/load-secret";
import { adminApi } from "../clients/admin-api";
import { PASSWORD } from "../clients/join-member";
import type { Gatehouse } from "../programs/start-gatehouse";

type Place = Pick<Gatehouse, "consoleUrl" | "dataFolder">;

/** Gives a page's browser a key's session, as if the key had been pasted on the sign-in screen. Opens no page. */
export async function signIn(page: Page, gatehouse: Gatehouse, key = gatehouse.adminKey): Promise<void> {
  const { token, expires_at } = await adminApi(gatehouse).call<Session>("POST", "/sessions", { key });
  await takeSession(page, gatehouse, { kind: "session", token, expiresAt: expires_at });
}

/** The same with the token of a gateway without sessions. */
export async function signInWithToken(page: Page, place: Place, token: string): Promise<void> {
  const expiresAt = Math.floor(Date.now() / 1000) + HOUR_S;
  await takeSession(page, place, { kind: "token", token, expiresAt });
}

/** Signs in by pasting a key, as users do, and waits for the console. */
export async function signInByForm(page: Page, key: string): Promise<void> {
  await page.goto("/sign-in?with=key");
  await page.getByRole("textbox", { name: "Admin key" }).fill(key);
  await page.keyboard.press("Enter");
  await page.waitForURL((url) => url.pathname !== "/sign-in");
}

async function takeSession(
  page: Page,
  { consoleUrl, dataFolder }: Place,
  session: Parameters<typeof sealSession>[0],
): Promise<void> {
  const value = sealSession(session, loadSecret({ dataFolder }));
  await page.context().addCookies([{ name: "gatehouse_session", value, url: consoleUrl }]);
}

/** Types a member's password on the sign-in screen and sends it. Doesn't wait for the console. */
export async function typePassword(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.goto("/sign-in");
  await page.getByLabel("Email address", { exact: true }).fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.keyboard.press("Enter");
}
