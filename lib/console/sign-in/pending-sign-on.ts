import "server-only";
import { cookies } from "next/headers";
import { environment } from "../environment";
import { isHttps } from "../is-https";
import { paths } from "../paths";
import { cookieName } from "./cookie-name";
import { openSignOn, type PendingSignOn, sealSignOn } from "./seal-sign-on";

const COOKIE = "gatehouse_sign_on";
const MAX_AGE_S = 600;

/** Remembers the started single sign-on in this browser. Call it only in a server action. */
export async function savePendingSignOn(
  signOn: Omit<PendingSignOn, "expiresAt">,
  nowMs: number,
): Promise<void> {
  const expiresAt = Math.floor(nowMs / 1000) + MAX_AGE_S;
  (await cookies()).set(await findCookieName(), sealSignOn({ ...signOn, expiresAt }, environment().secret), {
    httpOnly: true,
    // The provider's page sends the browser back, and `Strict` would withhold the cookie then.
    sameSite: "lax",
    secure: await isHttps(),
    path: paths.signInAnswer(),
    maxAge: MAX_AGE_S,
  });
}

/**
 * Returns and forgets the single sign-on that was started in this browser; null for none. Call it only in a route
 * handler.
 */
export async function takePendingSignOn(nowMs: number): Promise<PendingSignOn | null> {
  const store = await cookies();
  const name = await findCookieName();
  const sealedSignOn = store.get(name)?.value;
  if (!sealedSignOn) return null;
  store.delete({ name, path: paths.signInAnswer(), secure: await isHttps() });
  return openSignOn(sealedSignOn, environment().secret, nowMs);
}

function findCookieName(): Promise<string> {
  return cookieName(COOKIE, paths.signInAnswer());
}
