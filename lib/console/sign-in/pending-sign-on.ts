import "server-only";
import { cookies } from "next/headers";
import * as z from "zod/mini";
import { environment } from "../environment";
import { cookieName, isHttps } from "../is-https";
import { paths } from "../paths";
import { sealFor } from "./seal-session";

/** A single sign-on that waits for the provider's redirect. */
const pendingSignOn = z.object({
  stateToken: z.string(),
  /** The path to open afterwards. */
  next: z.string(),
  /** Whether it links an identity to the signed-in person instead of signing in. */
  isIdentityLink: z.boolean(),
  /** Unix seconds. */
  expiresAt: z.int(),
});
export type PendingSignOn = z.output<typeof pendingSignOn>;

/** Encrypts a pending sign-on for its cookie, and decrypts it. */
export const { close: sealSignOn, open: openSignOn } = sealFor(
  "gatehouse console single sign-on",
  pendingSignOn,
);

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
