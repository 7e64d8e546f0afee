import { sql } from "kysely";
import { toNano } from "@/lib/money/amount";
import type { Reads } from "../database/database";
import type { IdempotentCharges } from "./idempotent-charges";
import { openReply } from "./seal-reply";

/** Finds charged calls and tasks by their idempotency keys, on a connection that only reads. */
export function createSqliteIdempotentChargeStore(reads: Reads, secret: Uint8Array): IdempotentCharges {
  return {
    async find({ scope, key }, sinceMs) {
      const row = await reads
        .selectFrom("idempotency_keys")
        .leftJoin("ledger_entries", (join) =>
          join.on("ledger_entries.id", "=", sql<string>`'txn_' || substr(idempotency_keys.request_id, 5)`),
        )
        .leftJoin("tasks", "tasks.request_id", "idempotency_keys.request_id")
        .where(({ or, eb }) => or([eb("ledger_entries.id", "is not", null), eb("tasks.id", "is not", null)]))
        .select([
          "body_hash as bodyHash",
          "idempotency_keys.reply",
          "idempotency_keys.request_id as requestId",
        ])
        .select(sql<string>`cast(coalesce(ledger_entries.amount, 0) as text)`.as("charge"))
        .where("scope", "=", scope)
        .where("key", "=", key)
        .where("idempotency_keys.created_at_ms", ">", sinceMs)
        .executeTakeFirst();
      if (!row) return null;
      const { bodyHash, requestId, charge } = row;
      const reply = row.reply === null ? null : openReply(row.reply, { scope, key }, secret);
      return { bodyHash, requestId: requestId ?? "", reply, charge: toNano(BigInt(charge)) };
    },
    async isHeld({ scope, key }) {
      const row = await reads
        .selectFrom("idempotency_keys")
        .innerJoin("holds", (join) =>
          join.on("holds.id", "=", sql<string>`'hold_' || substr(idempotency_keys.request_id, 5)`),
        )
        .select("holds.id")
        .where("scope", "=", scope)
        .where("key", "=", key)
        .executeTakeFirst();
      return row !== undefined;
    },
  };
}
