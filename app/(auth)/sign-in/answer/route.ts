import { redirect } from "next/navigation";
import type { NextRequest } from "next/server";
import { anonymousConnection, gatewayConnection } from "@/lib/console/gateway/gateway-client";
import type { ProblemCode } from "@/lib/console/gateway/problem";
import { type IdentityLinkOutcome, paths, type SignInReason, safeNext } from "@/lib/console/paths";
import { type PendingSignOn, takePendingSignOn } from "@/lib/console/sign-in/pending-sign-on";
import { startSession } from "@/lib/console/sign-in/session";
import {
  finishIdentityLink,
  finishSignOn,
  type ProviderAnswer,
} from "@/lib/console/sign-in/sign-in-as-member";

/**
 * The OpenID provider redirects browsers here (OpenID Connect Core, 3.1.2.5 and 3.1.2.6). Its messages are never shown.
 */
export async function GET({ nextUrl }: NextRequest): Promise<never> {
  const pending = await takePendingSignOn(Date.now());
  if (!pending) redirect(paths.signIn({ reason: "lost" }));
  const answer = readAnswer(pending, nextUrl.searchParams);
  if (pending.isIdentityLink) redirect(paths.account({ single_sign_on: await linkIdentity(answer) }));
  const reason = await signIn(answer);
  const next = safeNext(pending.next);
  if (!reason) redirect(next);
  redirect(paths.signIn({ reason, next: next === paths.overview() ? undefined : next }));
}

/** Returns the provider's answer, or the reason why there is none. */
function readAnswer(
  { stateToken }: PendingSignOn,
  given: URLSearchParams,
): ProviderAnswer | "denied" | "failed" {
  const error = given.get("error");
  if (error !== null) return error === "access_denied" ? "denied" : "failed";
  const [state, code, iss] = [given.get("state"), given.get("code"), given.get("iss")];
  return state && code ? { stateToken, state, code, iss } : "failed";
}

async function linkIdentity(answer: ReturnType<typeof readAnswer>): Promise<IdentityLinkOutcome> {
  if (typeof answer === "string") return answer;
  const connection = await gatewayConnection();
  if (!connection) return "lost";
  const reply = await finishIdentityLink(connection, answer);
  if (reply.ok) return "linked";
  if (reply.problem.code === "conflict") return "taken";
  return reply.problem.code === "unauthenticated" ? "lost" : "failed";
}

/** @returns why the sign-in failed; null on success. */
async function signIn(answer: ReturnType<typeof readAnswer>): Promise<SignInReason | null> {
  if (typeof answer === "string") return answer;
  const reply = await finishSignOn(await anonymousConnection(), answer);
  if (!reply.ok) return reasons[reply.problem.code] ?? "failed";
  await startSession(reply.data);
  return null;
}

const reasons: Partial<Record<ProblemCode, SignInReason>> = {
  unauthenticated: "unknown",
  refused: "identity-link-first",
  conflict: "linked-to-another",
  rate_limited: "wait",
};
