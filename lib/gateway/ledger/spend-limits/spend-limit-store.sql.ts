import { sql } from "kysely";
import { type Nano, toNano } from "@/lib/money/amount";
import type { Transaction } from "../../changes/transaction";
import { within } from "../../changes/transactions.sql";
import type { Reads } from "../../database/database";
import { readScope, writeScope } from "../../database/fragment";
import type { Scope } from "../../scope";
import type { SpendLimitRecord } from "./spend-tracker";

export type SpendLimitStore = ReturnType<typeof createSpendLimitStore>;

export function createSpendLimitStore(reads: Reads) {
  return {
    async list(): Promise<SpendLimitRecord[]> {
      const rows = await reads
        .selectFrom("spend_limits")
        .select(["scope", sql<string>`cast(amount as text)`.as("amount")])
        .execute();
      return rows.map(({ scope, amount }) => ({
        scope: readScope(scope),
        limit: toNano(BigInt(amount)),
      }));
    },
    /** Null if there is none. */
    async find(scope: Scope): Promise<Nano | null> {
      const row = await reads
        .selectFrom("spend_limits")
        .select(sql<string>`cast(amount as text)`.as("amount"))
        .where("scope", "=", writeScope(scope))
        .executeTakeFirst();
      return row ? toNano(BigInt(row.amount)) : null;
    },
    async save(
      transaction: Transaction,
      { scope, limit: amount }: SpendLimitRecord,
      updated_at_ms: number,
    ): Promise<void> {
      const values = { amount, updated_at_ms };
      await within(transaction)
        .insertInto("spend_limits")
        .values({ scope: writeScope(scope), ...values })
        .onConflict((conflict) => conflict.column("scope").doUpdateSet(values))
        .execute();
    },
    async delete(transaction: Transaction, scope: Scope): Promise<void> {
      await within(transaction).deleteFrom("spend_limits").where("scope", "=", writeScope(scope)).execute();
    },
  };
}
