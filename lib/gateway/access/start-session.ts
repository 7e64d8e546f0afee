import { HOUR_MS } from "@/lib/contract/durations";
import { newId } from "@/lib/contract/ids";
import type { ChangeContext } from "../changes/change";
import type { Transaction } from "../changes/transaction";
import type { Effects } from "../effects";
import type { ActorRef } from "../roles/actor";
import { hashSecret } from "../secrets/hash-secret";
import { newToken } from "../secrets/new-token";
import type { SessionMirror } from "./session-mirror";
import type { SessionRecord, SessionStore } from "./session-store";

export interface SessionContext extends ChangeContext {
  readonly sessions: SessionStore;
  readonly sessionMirror: SessionMirror;
  readonly effects: Effects;
}

const SESSION_MS = 12 * HOUR_MS;
const USER_AGENT_LENGTH = 300;

/** A session with its token. Only the token's hash is stored. */
export interface NewSession {
  readonly session: SessionRecord;
  readonly token: string;
}

/** Opens a session for an admin key or a member, within a change. */
export async function startSession(
  { sessions, effects }: SessionContext,
  transaction: Transaction,
  holder: ActorRef,
  userAgent: string | null,
): Promise<NewSession> {
  const session = newSession(effects, holder, userAgent);
  await sessions.insert(transaction, session.session);
  return session;
}

/** A session of twelve hours that is not stored yet. */
export function newSession(
  { clock, random }: Effects,
  holder: ActorRef,
  userAgent: string | null,
): NewSession {
  const token = newToken("gs_", random);
  const createdAtMs = clock.nowMs();
  const session = {
    id: newId("sess", createdAtMs, random),
    holder,
    hash: hashSecret(token),
    userAgent: userAgent?.slice(0, USER_AGENT_LENGTH) ?? null,
    createdAtMs,
    expiresAtMs: createdAtMs + SESSION_MS,
  };
  return { session, token };
}
