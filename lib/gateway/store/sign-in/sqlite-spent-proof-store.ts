import { hashSecret } from "../../secrets/hash-secret";
import type { SpentProofs } from "../../sign-in/credentials";
import type { Reads } from "../database";
import { within } from "../transactions";

export function createSqliteSpentProofStore(reads: Reads): SpentProofs {
  return {
    async isSpent(userId, proof) {
      const spent = reads
        .selectFrom("used_sign_in_codes")
        .select("user_id")
        .where("user_id", "=", userId)
        .where("hash", "=", hashSecret(proof));
      return (await spent.executeTakeFirst()) !== undefined;
    },
    async spend(transaction, userId, proof, atMs) {
      const row = await within(transaction)
        .insertInto("used_sign_in_codes")
        .values({ user_id: userId, hash: hashSecret(proof), used_at_ms: atMs })
        .onConflict((conflict) => conflict.doNothing())
        .returning("user_id")
        .executeTakeFirst();
      return row !== undefined;
    },
    async prune(transaction, untilMs) {
      await within(transaction).deleteFrom("used_sign_in_codes").where("used_at_ms", "<=", untilMs).execute();
    },
  };
}
