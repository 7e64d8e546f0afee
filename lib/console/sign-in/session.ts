import "server-only";
import { createHash } from "node:crypto";
import { cookies, headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import { operations } from "@/lib/contract/operation-table";
import { PATH_HEADER } from "../build-security-headers";
import { environment } from "../environment";
import { browserHeaders } from "../gateway/browser-headers";
import { sendRequest } from "../gateway/send-request";
import { cookieName, isHttps } from "../is-https";
import { paths, safeNext } from "../paths";
import { processStreams } from "../streaming/running-streams";
import { saveDeviceToken } from "./device";
import { type ConsoleSession, type NewSession, openSession, sealSession } from "./seal-session";

const SESSION_COOKIE = "gatehouse_session";

/**
 * Returns the signed-in person according to the cookie; null if there is none. The gateway may still reject the token.
 */
export const currentSession = cache(async (): Promise<ConsoleSession | null> => {
  const sealedSession = (await cookies()).get(await cookieName(SESSION_COOKIE))?.value;
  return sealedSession ? openSession(sealedSession, environment().secret, Date.now()) : null;
});

/**
 * Returns the signed-in person, or redirects to the sign-in screen, which returns here afterwards. Every page and
 * layout below `(console)` awaits this first, since layouts don't run again on navigation.
 */
export async function requireSession(): Promise<ConsoleSession> {
  return (await currentSession()) ?? redirect(await signInPath());
}

/** Redirects to the sign-in screen because the gateway no longer accepts the session. */
export async function redirectToSignIn(): Promise<never> {
  redirect(await signInPath("ended"));
}

/**
 * Starts a session with a new cookie, and ends this browser's previous session with its streams, in the gateway too.
 * Call it only in a server action or a route handler.
 */
export async function startSession({ deviceToken, ...session }: NewSession): Promise<void> {
  await saveDeviceToken(deviceToken);
  const earlier = await currentSession();
  if (earlier) endStreams(earlier);
  if (earlier?.kind === "session") {
    // If the gateway is unreachable, the previous session expires by itself.
    const connection = {
      url: environment().gateway.url,
      token: earlier.token,
      headers: await browserHeaders(),
    };
    await sendRequest(connection, operations.deleteCurrentSession, {});
  }
  (await cookies()).set(await cookieName(SESSION_COOKIE), sealSession(session, environment().secret), {
    httpOnly: true,
    // `Strict` would withhold the session from people who follow a link in a mail or a terminal.
    sameSite: "lax",
    secure: await isHttps(),
    path: "/",
    expires: new Date(session.expiresAt * 1000),
  });
}

/** Forgets the session in the browser, and ends its streams. Call it only in a server action. */
export async function endSession(): Promise<void> {
  const session = await currentSession();
  if (session) endStreams(session);
  const secure = await isHttps();
  // Browsers ignore changes to a prefixed cookie, including its deletion, unless they have the prefix's required
  // attributes.
  (await cookies()).delete({ name: await cookieName(SESSION_COOKIE), path: "/", secure });
}

/** A name for a session from which its token can't be derived. */
export function nameSession(session: ConsoleSession): string {
  return createHash("sha256").update(session.token).digest("base64url");
}

/** Ends the session's streams: without the session, nobody could stop them. */
function endStreams(session: ConsoleSession): void {
  processStreams().cancelAll(nameSession(session));
}

async function signInPath(reason?: "ended"): Promise<string> {
  const next = safeNext((await headers()).get(PATH_HEADER));
  return paths.signIn({ ...(next === paths.overview() ? {} : { next }), ...(reason ? { reason } : {}) });
}
