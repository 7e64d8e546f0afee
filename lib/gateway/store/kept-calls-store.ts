import { sql } from "kysely";
import { toNano } from "@/lib/money/amount";
import type { KeptCalls } from "../balance/kept-calls";
import type { Database } from "./database";

/** A delete of more would hold up the ledger. */
const PRUNED_AT_ONCE = 200;

/** Reads of the calls under their idempotency keys, beside the writer and never through it. */
export function createKeptCallsStore(database: Database): KeptCalls {
  return {
    async find({ scope, key }, sinceMs) {
      const row = await database
        .selectFrom("idempotency_keys")
        .innerJoin("ledger_entries", (join) =>
          join.on("ledger_entries.id", "=", sql<string>`'txn_' || substr(idempotency_keys.request_id, 5)`),
        )
        .select([
          "body_hash as bodyHash",
          "idempotency_keys.reply",
          "idempotency_keys.request_id as requestId",
        ])
        .select(sql<string>`cast(ledger_entries.amount as text)`.as("charge"))
        .where("scope", "=", scope)
        .where("key", "=", key)
        .where("idempotency_keys.created_at_ms", ">", sinceMs)
        .executeTakeFirst();
      if (!row) return null;
      const { bodyHash, requestId, reply, charge } = row;
      return { bodyHash, requestId: requestId ?? "", reply, charge: toNano(BigInt(charge)) };
    },
    async prune(untilMs) {
      for (let deleted = PRUNED_AT_ONCE; deleted === PRUNED_AT_ONCE; ) {
        const old = database
          .selectFrom("idempotency_keys")
          .select("rowid" as never)
          .where("created_at_ms", "<=", untilMs)
          .limit(PRUNED_AT_ONCE);
        const { numDeletedRows } = await database
          .deleteFrom("idempotency_keys")
          .where(sql.ref("rowid"), "in", old)
          .executeTakeFirst();
        deleted = Number(numDeletedRows);
      }
    },
  };
}
