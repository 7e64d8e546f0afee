import type { CallbackStore } from "../callbacks/callback-store";
import type { Database } from "./database";

/** The messages of alerts that fired, each stored with its firing. */
export function createAlertDeliveryStore(database: Database): CallbackStore {
  return {
    listDue: (nowMs, limit) =>
      database
        .selectFrom("alert_deliveries")
        .select(["id", "body", "tries"])
        .where("status", "=", "pending")
        .where("due_at_ms", "<=", nowMs)
        .orderBy("due_at_ms")
        .orderBy("id")
        .limit(limit)
        .execute(),
    async save(id, { status, tries, triedAtMs, dueAtMs, failure }) {
      await database
        .updateTable("alert_deliveries")
        .set({ status, tries, tried_at_ms: triedAtMs, due_at_ms: dueAtMs, failure })
        .where("id", "=", id)
        .execute();
    },
  };
}
