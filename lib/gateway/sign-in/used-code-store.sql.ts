import type { Transaction } from "../changes/transaction";
import { within } from "../changes/transactions.sql";
import type { Reads } from "../database/database";
import { hashSecret } from "../secrets/hash-secret";

/** Used one-time codes, challenges and states. */
export function createUsedCodeStore(reads: Reads) {
  return {
    /** Whether a code was used. */
    async isUsed(userId: string, code: string): Promise<boolean> {
      const usedCodes = reads
        .selectFrom("used_sign_in_codes")
        .select("user_id")
        .where("user_id", "=", userId)
        .where("hash", "=", hashSecret(code));
      return (await usedCodes.executeTakeFirst()) !== undefined;
    },
    /** Marks a code as used. @returns false if it was used before, even at the same moment. */
    async use(transaction: Transaction, userId: string, code: string, atMs: number): Promise<boolean> {
      const row = await within(transaction)
        .insertInto("used_sign_in_codes")
        .values({ user_id: userId, hash: hashSecret(code), used_at_ms: atMs })
        .onConflict((conflict) => conflict.doNothing())
        .returning("user_id")
        .executeTakeFirst();
      return row !== undefined;
    },
    /** Marks the state of a single sign-on as used. @returns false if it was used before, even at the same moment. */
    async useState(transaction: Transaction, state: string, atMs: number): Promise<boolean> {
      const row = await within(transaction)
        .insertInto("used_sign_in_states")
        .values({ hash: hashSecret(state), used_at_ms: atMs })
        .onConflict((conflict) => conflict.doNothing())
        .returning("hash")
        .executeTakeFirst();
      return row !== undefined;
    },
    /** Deletes those that were used at or before `untilMs`. */
    async prune(transaction: Transaction, untilMs: number): Promise<void> {
      for (const table of ["used_sign_in_codes", "used_sign_in_states"] as const)
        await within(transaction).deleteFrom(table).where("used_at_ms", "<=", untilMs).execute();
    },
  };
}

export type UsedCodes = ReturnType<typeof createUsedCodeStore>;
