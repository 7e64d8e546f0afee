import { within } from "../changes/transactions.sql";
import type { Database, Reads } from "../database/database";
import type { AttemptRecord, AttemptStore } from "./attempts";

export function createSqliteAttemptStore(reads: Reads): AttemptStore {
  return {
    list: (names) => readRecords(reads, names),
    async change(transaction, names, change) {
      const queries = within(transaction);
      const records = await readRecords(queries, names);
      for (const { name, count, lastAtMs } of change(records)) {
        const values = { count, last_at_ms: lastAtMs };
        await queries
          .insertInto("sign_in_attempts")
          .values({ name, ...values })
          .onConflict((conflict) => conflict.column("name").doUpdateSet(values))
          .execute();
      }
    },
    async prune(transaction, untilMs) {
      await within(transaction).deleteFrom("sign_in_attempts").where("last_at_ms", "<=", untilMs).execute();
    },
  };
}

async function readRecords(queries: Reads | Database, names: readonly string[]): Promise<AttemptRecord[]> {
  const rows = await queries.selectFrom("sign_in_attempts").selectAll().where("name", "in", names).execute();
  return rows.map(({ last_at_ms: lastAtMs, ...row }) => ({ ...row, lastAtMs }));
}
