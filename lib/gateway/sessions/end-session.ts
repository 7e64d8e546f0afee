import type { SessionContext } from "./start-session";

/** Ends a session: its token stops working at once. */
export async function endSession({ sessions, sessionBook }: SessionContext, id: string): Promise<void> {
  await sessions.delete(id);
  sessionBook.remove(id);
}
