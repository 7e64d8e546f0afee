import { type ChangeRequest, change } from "../changes/change";
import { findManageableUser, type UserMirror } from "../people/members";
import { invalid, notFound } from "../refusal";
import type { AccessGraph } from "../roles/access-graph";
import type { Actor, ActorRef } from "../roles/actor";
import type { Caller } from "./caller";
import { toActorRef } from "./resolve-actor";
import type { SessionContext } from "./start-session";

/** Ends the caller's own session. @throws Refusal 400 for a key. */
export function endCurrentSession(
  context: SessionContext,
  request: ChangeRequest,
  caller: Caller,
): Promise<void> {
  if (caller.kind === "session") return endSession(context, request, toActorRef(caller), caller.id);
  throw invalid("authorization", "Only a session can be ended here; a key is revoked by deleting it.");
}

/** Ends a member's session. @throws Refusal 404; 403 for a member with more permissions than the actor. */
export function endUserSession(
  context: SessionContext & { readonly userMirror: UserMirror; readonly graph: AccessGraph },
  request: ChangeRequest,
  actor: Actor,
  { userId, sessionId }: { readonly userId: string; readonly sessionId: string },
): Promise<void> {
  return endSession(context, request, { kind: "user", id: userId }, sessionId, () => {
    findManageableUser(context, actor, userId);
  });
}

/**
 * Ends one of the holder's sessions; its token stops working at once. `refuse` throws if it may not be ended.
 * @throws Refusal 404 if the holder has no such open session.
 */
export function endSession(
  context: SessionContext,
  request: ChangeRequest,
  holder: ActorRef,
  id: string,
  refuse: () => void = () => {},
): Promise<void> {
  const { sessions, sessionMirror, effects } = context;
  return change(context, request, async (transaction) => {
    refuse();
    const openSessions = sessionMirror.listByActor(holder, effects.clock.nowMs());
    if (!openSessions.some((session) => session.id === id)) throw notFound("session", id, "session_id");
    await sessions.delete(transaction, id);
  });
}
