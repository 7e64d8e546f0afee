import { newId } from "@/lib/contract/ids";
import type { Effects } from "../ports/effects";
import { unauthenticated } from "../ports/refusal";
import { hashSecret } from "../secrets/hash-secret";
import { newToken } from "../secrets/new-token";
import type { SessionBook } from "./session-book";
import type { SessionHolder, SessionRecord, SessionStore } from "./session-store";

export interface SessionContext {
  readonly sessions: SessionStore;
  readonly sessionBook: SessionBook;
  readonly effects: Effects;
}

const SESSION_MS = 12 * 60 * 60 * 1000;
const USER_AGENT_LENGTH = 300;

/** Opens a session for an admin key or a member: a token good for twelve hours, of which only the hash is kept. */
export async function startSession(
  { sessions, sessionBook, effects }: SessionContext,
  holder: SessionHolder,
  userAgent: string | null = null,
): Promise<{ session: SessionRecord; token: string }> {
  const token = newToken("gs_", effects.random);
  const createdAtMs = effects.clock.nowMs();
  const session = {
    id: newId("sess", createdAtMs, effects.random),
    holder,
    hash: hashSecret(token),
    userAgent: userAgent?.slice(0, USER_AGENT_LENGTH) ?? null,
    createdAtMs,
    expiresAtMs: createdAtMs + SESSION_MS,
  };
  await sessions.insert(session);
  sessionBook.add(session);
  return { session, token };
}

/** Opens a session for the one-time token of a sign-in link. @throws Refusal 401 when it is unknown, used or expired. */
export async function redeemSignInToken(
  context: SessionContext,
  token: string,
  userAgent: string | null = null,
): Promise<{ session: SessionRecord; token: string }> {
  const redeemed = await context.sessions.redeemSignInToken(hashSecret(token), context.effects.clock.nowMs());
  if (!redeemed) throw unauthenticated();
  return startSession(context, { kind: "admin_key", id: redeemed.adminKeyId }, userAgent);
}
