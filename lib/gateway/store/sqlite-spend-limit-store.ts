import { sql } from "kysely";
import { toNano } from "@/lib/money/amount";
import type { SpendLimitStore } from "../balance/spend-limit-store";
import type { Database } from "./database";

const ORGANIZATION = "organization";

export function createSqliteSpendLimitStore(database: Database): SpendLimitStore {
  return {
    async list() {
      const rows = await database
        .selectFrom("spend_limits")
        .select(["scope", sql<string>`cast(amount as text)`.as("amount")])
        .execute();
      return rows.map(({ scope, amount }) => ({
        scope: scope === ORGANIZATION ? null : scope,
        limit: toNano(BigInt(amount)),
      }));
    },
    async save({ scope, limit: amount }, updated_at_ms) {
      const values = { amount, updated_at_ms };
      await database
        .insertInto("spend_limits")
        .values({ scope: scope ?? ORGANIZATION, ...values })
        .onConflict((stored) => stored.column("scope").doUpdateSet(values))
        .execute();
    },
    async delete(scope) {
      await database
        .deleteFrom("spend_limits")
        .where("scope", "=", scope ?? ORGANIZATION)
        .execute();
    },
  };
}
