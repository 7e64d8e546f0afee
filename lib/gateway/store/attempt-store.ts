import type { AttemptStore } from "../sign-in/attempts";
import type { Database } from "./database";

export function createAttemptStore(database: Database): AttemptStore {
  return {
    change: (names, change) =>
      database.transaction().execute(async (transaction) => {
        const rows = await transaction
          .selectFrom("sign_in_attempts")
          .selectAll()
          .where("name", "in", names)
          .execute();
        const known = rows.map(({ last_at_ms: lastAtMs, ...row }) => ({ ...row, lastAtMs }));
        for (const { name, count, lastAtMs } of change(known)) {
          const values = { count, last_at_ms: lastAtMs };
          await transaction
            .insertInto("sign_in_attempts")
            .values({ name, ...values })
            .onConflict((conflict) => conflict.column("name").doUpdateSet(values))
            .execute();
        }
      }),
    async prune(untilMs) {
      await database.deleteFrom("sign_in_attempts").where("last_at_ms", "<=", untilMs).execute();
    },
  };
}
