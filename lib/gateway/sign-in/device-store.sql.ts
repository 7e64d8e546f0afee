import type { Transaction } from "../changes/transaction";
import { within } from "../changes/transactions.sql";
import type { Reads } from "../database/database";

/** Devices that members have signed in with. A device is identified by the hash of the token that it keeps. */
export function createDeviceStore(reads: Reads) {
  return {
    /** The ids of the members who have signed in with it. */
    async listMembers(hash: string): Promise<readonly string[]> {
      const rows = await reads
        .selectFrom("sign_in_devices")
        .select("user_id")
        .where("hash", "=", hash)
        .execute();
      return rows.map((row) => row.user_id);
    },
    /** Records that a member signed in with a device. */
    async keep(transaction: Transaction, hash: string, userId: string, atMs: number): Promise<void> {
      await within(transaction)
        .insertInto("sign_in_devices")
        .values({ hash, user_id: userId, created_at_ms: atMs, last_used_at_ms: atMs })
        .onConflict((conflict) =>
          conflict.columns(["user_id", "hash"]).doUpdateSet({ last_used_at_ms: atMs }),
        )
        .execute();
    },
    /** Deletes a member's devices, except one. */
    async forget(transaction: Transaction, userId: string, keptHash: string | null): Promise<void> {
      await within(transaction)
        .deleteFrom("sign_in_devices")
        .where("user_id", "=", userId)
        .where("hash", "!=", keptHash ?? "")
        .execute();
    },
    /** Deletes the devices that were not used since. */
    async prune(transaction: Transaction, untilMs: number): Promise<void> {
      await within(transaction)
        .deleteFrom("sign_in_devices")
        .where("last_used_at_ms", "<=", untilMs)
        .execute();
    },
  };
}

export type DeviceStore = ReturnType<typeof createDeviceStore>;
