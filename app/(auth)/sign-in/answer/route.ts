import { redirect } from "next/navigation";
import type { NextRequest } from "next/server";
import { anonymousConnection } from "@/lib/console/gateway-client";
import { paths, type SignInReason, safeNext } from "@/lib/console/paths";
import { takeSignOn } from "@/lib/console/pending-sign-on";
import type { PendingSignOn } from "@/lib/console/seal-sign-on";
import { startSession } from "@/lib/console/session";
import { finishSignOn } from "@/lib/console/sign-in-as-member";

/** The OpenID provider sends browsers back here (OpenID Connect Core, 3.1.2.5 and 3.1.2.6). Its own words are never shown. */
export async function GET({ nextUrl }: NextRequest): Promise<never> {
  const pending = await takeSignOn(Date.now());
  const reason = pending ? await finish(pending, nextUrl.searchParams) : "lost";
  const next = safeNext(pending?.next);
  if (!reason) redirect(next);
  redirect(paths.signIn({ reason, next: next === paths.overview() ? undefined : next }));
}

/** @returns why nobody was signed in; null where somebody was. */
async function finish({ stateToken }: PendingSignOn, answer: URLSearchParams): Promise<SignInReason | null> {
  const error = answer.get("error");
  if (error !== null) return error === "access_denied" ? "denied" : "failed";
  const [state, code, iss] = [answer.get("state"), answer.get("code"), answer.get("iss")];
  if (!state || !code) return "failed";
  const reply = await finishSignOn(await anonymousConnection(), stateToken, { state, code, iss });
  if (!reply.ok) return reply.problem.code === "unauthenticated" ? "unknown" : "failed";
  await startSession(reply.data);
  return null;
}
