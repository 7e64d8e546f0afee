import { type ChangeRequest, change } from "../changes/change";
import { notFound } from "../refusal";
import type { ActorRef } from "../roles/actor";
import type { SessionContext } from "./start-session";

/** Ends a session of the holder's: its token stops working at once. @throws Refusal 404 for one that is over or another's. */
export function endSession(
  context: SessionContext,
  request: ChangeRequest,
  holder: ActorRef,
  id: string,
): Promise<void> {
  const { sessions, sessionMirror, effects } = context;
  return change(context, request, async (transaction) => {
    const open = sessionMirror.listOf(holder, effects.clock.nowMs());
    if (!open.some((session) => session.id === id)) throw notFound("session", id, "session_id");
    await sessions.delete(transaction, id);
  });
}
