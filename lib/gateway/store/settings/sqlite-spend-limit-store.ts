import { sql } from "kysely";
import { toNano } from "@/lib/money/amount";
import type { SpendLimitStore } from "../../balance/spend-limits/spend-limit-store";
import type { Reads } from "../database";
import { within } from "../transactions";

const ORGANIZATION = "organization";

export function createSqliteSpendLimitStore(reads: Reads): SpendLimitStore {
  return {
    async list() {
      const rows = await reads
        .selectFrom("spend_limits")
        .select(["scope", sql<string>`cast(amount as text)`.as("amount")])
        .execute();
      return rows.map(({ scope, amount }) => ({
        scope: scope === ORGANIZATION ? null : scope,
        limit: toNano(BigInt(amount)),
      }));
    },
    async find(scope) {
      const row = await reads
        .selectFrom("spend_limits")
        .select(sql<string>`cast(amount as text)`.as("amount"))
        .where("scope", "=", scope ?? ORGANIZATION)
        .executeTakeFirst();
      return row ? toNano(BigInt(row.amount)) : null;
    },
    async save(transaction, { scope, limit: amount }, updated_at_ms) {
      const values = { amount, updated_at_ms };
      await within(transaction)
        .insertInto("spend_limits")
        .values({ scope: scope ?? ORGANIZATION, ...values })
        .onConflict((conflict) => conflict.column("scope").doUpdateSet(values))
        .execute();
    },
    async delete(transaction, scope) {
      await within(transaction)
        .deleteFrom("spend_limits")
        .where("scope", "=", scope ?? ORGANIZATION)
        .execute();
    },
  };
}
