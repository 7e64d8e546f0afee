import type { AttemptStore } from "../../sign-in/attempts";
import { within } from "../transactions";

export function createSqliteAttemptStore(): AttemptStore {
  return {
    async change(transaction, names, change) {
      const queries = within(transaction);
      const rows = await queries
        .selectFrom("sign_in_attempts")
        .selectAll()
        .where("name", "in", names)
        .execute();
      const records = rows.map(({ last_at_ms: lastAtMs, ...row }) => ({ ...row, lastAtMs }));
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
