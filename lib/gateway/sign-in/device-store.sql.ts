import { within } from "../changes/transactions.sql";
import type { Reads } from "../database/database";
import type { DeviceStore } from "./devices";

export function createSqliteDeviceStore(reads: Reads): DeviceStore {
  return {
    async listMembers(hash) {
      const rows = await reads
        .selectFrom("sign_in_devices")
        .select("user_id")
        .where("hash", "=", hash)
        .execute();
      return rows.map((row) => row.user_id);
    },
    async keep(transaction, hash, userId, atMs) {
      await within(transaction)
        .insertInto("sign_in_devices")
        .values({ hash, user_id: userId, created_at_ms: atMs, last_used_at_ms: atMs })
        .onConflict((conflict) =>
          conflict.columns(["user_id", "hash"]).doUpdateSet({ last_used_at_ms: atMs }),
        )
        .execute();
    },
    async forget(transaction, userId, keptHash) {
      await within(transaction)
        .deleteFrom("sign_in_devices")
        .where("user_id", "=", userId)
        .where("hash", "!=", keptHash ?? "")
        .execute();
    },
    async prune(transaction, untilMs) {
      await within(transaction)
        .deleteFrom("sign_in_devices")
        .where("last_used_at_ms", "<=", untilMs)
        .execute();
    },
  };
}
