import { sql } from "kysely";
import { toNano } from "@/lib/money/amount";
import { within } from "../../changes/transactions.sql";
import type { Reads } from "../../database/database";
import { readScope, writeScope } from "../../database/scope-column";
import type { SpendLimitStore } from "./spend-limit-store";

export function createSqliteSpendLimitStore(reads: Reads): SpendLimitStore {
  return {
    async list() {
      const rows = await reads
        .selectFrom("spend_limits")
        .select(["scope", sql<string>`cast(amount as text)`.as("amount")])
        .execute();
      return rows.map(({ scope, amount }) => ({
        scope: readScope(scope),
        limit: toNano(BigInt(amount)),
      }));
    },
    async find(scope) {
      const row = await reads
        .selectFrom("spend_limits")
        .select(sql<string>`cast(amount as text)`.as("amount"))
        .where("scope", "=", writeScope(scope))
        .executeTakeFirst();
      return row ? toNano(BigInt(row.amount)) : null;
    },
    async save(transaction, { scope, limit: amount }, updated_at_ms) {
      const values = { amount, updated_at_ms };
      await within(transaction)
        .insertInto("spend_limits")
        .values({ scope: writeScope(scope), ...values })
        .onConflict((conflict) => conflict.column("scope").doUpdateSet(values))
        .execute();
    },
    async delete(transaction, scope) {
      await within(transaction).deleteFrom("spend_limits").where("scope", "=", writeScope(scope)).execute();
    },
  };
}
