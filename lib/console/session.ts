import "server-only";
import { createHash } from "node:crypto";
import { cookies, headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import { environment } from "./environment";
import { isHttps } from "./is-https";
import { paths, safeNext } from "./paths";
import { type ConsoleSession, openSession, sealSession } from "./seal-session";
import { PATH_HEADER } from "./security-headers";

const SESSION_COOKIE = "gatehouse_session";

/** Who is signed in, by the cookie alone; null for nobody. The gateway may still refuse the token. */
export const currentSession = cache(async (): Promise<ConsoleSession | null> => {
  const sealed = (await cookies()).get(SESSION_COOKIE)?.value;
  return sealed ? openSession(sealed, environment().secret, Date.now()) : null;
});

/**
 * Who is signed in; anyone else goes to the sign-in screen and comes back after it. Every page and layout below
 * `(console)` awaits this before it returns anything: layouts don't run again on navigation.
 */
export async function requireSession(): Promise<ConsoleSession> {
  return (await currentSession()) ?? redirect(await signInPath());
}

/** Leaves for the sign-in screen because the gateway no longer accepts the session. */
export async function redirectToSignIn(): Promise<never> {
  redirect(await signInPath("ended"));
}

/** Starts a session: always a fresh cookie, whatever was there. Only in a server action or a route handler. */
export async function startSession(session: ConsoleSession): Promise<void> {
  (await cookies()).set(SESSION_COOKIE, sealSession(session, environment().secret), {
    httpOnly: true,
    // Strict would hide the session from whoever arrives by a link in a mail or a terminal.
    sameSite: "lax",
    secure: await isHttps(),
    path: "/",
    expires: new Date(session.expiresAt * 1000),
  });
}

/** Forgets the session in the browser. Only in a server action. */
export async function endSession(): Promise<void> {
  (await cookies()).delete(SESSION_COOKIE);
}

/** A name for a session that can't be turned back into its token. */
export function ownerOf(session: ConsoleSession): string {
  return createHash("sha256").update(session.token).digest("base64url");
}

async function signInPath(reason?: "ended"): Promise<string> {
  const next = safeNext((await headers()).get(PATH_HEADER));
  return paths.signIn({ ...(next === paths.overview() ? {} : { next }), ...(reason ? { reason } : {}) });
}
