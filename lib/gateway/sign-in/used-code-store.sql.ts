import { within } from "../changes/transactions.sql";
import type { Reads } from "../database/database";
import { hashSecret } from "../secrets/hash-secret";
import type { UsedCodes } from "./credentials";

export function createSqliteUsedCodeStore(reads: Reads): UsedCodes {
  return {
    async isUsed(userId, code) {
      const usedCodes = reads
        .selectFrom("used_sign_in_codes")
        .select("user_id")
        .where("user_id", "=", userId)
        .where("hash", "=", hashSecret(code));
      return (await usedCodes.executeTakeFirst()) !== undefined;
    },
    async use(transaction, userId, code, atMs) {
      const row = await within(transaction)
        .insertInto("used_sign_in_codes")
        .values({ user_id: userId, hash: hashSecret(code), used_at_ms: atMs })
        .onConflict((conflict) => conflict.doNothing())
        .returning("user_id")
        .executeTakeFirst();
      return row !== undefined;
    },
    async useState(transaction, state, atMs) {
      const row = await within(transaction)
        .insertInto("used_sign_in_states")
        .values({ hash: hashSecret(state), used_at_ms: atMs })
        .onConflict((conflict) => conflict.doNothing())
        .returning("hash")
        .executeTakeFirst();
      return row !== undefined;
    },
    async prune(transaction, untilMs) {
      for (const table of ["used_sign_in_codes", "used_sign_in_states"] as const)
        await within(transaction).deleteFrom(table).where("used_at_ms", "<=", untilMs).execute();
    },
  };
}
