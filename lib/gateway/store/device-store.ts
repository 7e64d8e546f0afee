import type { DeviceStore } from "../sign-in/devices";
import type { Database } from "./database";

export function createDeviceStore(database: Database): DeviceStore {
  return {
    async membersOf(hash) {
      const rows = await database
        .selectFrom("sign_in_devices")
        .select("user_id")
        .where("hash", "=", hash)
        .execute();
      return rows.map((row) => row.user_id);
    },
    async keep(hash, userId, atMs) {
      await database
        .insertInto("sign_in_devices")
        .values({ hash, user_id: userId, created_at_ms: atMs, last_used_at_ms: atMs })
        .onConflict((conflict) =>
          conflict.columns(["user_id", "hash"]).doUpdateSet({ last_used_at_ms: atMs }),
        )
        .execute();
    },
    async forget(userId, keptHash) {
      await database
        .deleteFrom("sign_in_devices")
        .where("user_id", "=", userId)
        .where("hash", "!=", keptHash ?? "")
        .execute();
    },
    async prune(untilMs) {
      await database.deleteFrom("sign_in_devices").where("last_used_at_ms", "<=", untilMs).execute();
    },
  };
}
