import type { SessionHolder } from "./session-store";
import type { SessionContext } from "./start-session";

/** Ends a session: its token stops working at once. */
export async function endSession({ sessions, sessionBook }: SessionContext, id: string): Promise<void> {
  await sessions.delete(id);
  sessionBook.remove(id);
}

/** Ends all sessions of a holder but one: at once, whatever they are being used for. */
export async function endOtherSessions(
  { sessions, sessionBook }: SessionContext,
  holder: SessionHolder,
  keptId: string | null,
): Promise<void> {
  await sessions.deleteOthers(holder, keptId);
  sessionBook.removeOf(holder, keptId);
}
