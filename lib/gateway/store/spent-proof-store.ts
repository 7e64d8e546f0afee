import { hashSecret } from "../secrets/hash-secret";
import type { SpentProofs } from "../sign-in/credentials";
import type { Database } from "./database";

export function createSpentProofStore(database: Database): SpentProofs {
  return {
    async isSpent(userId, proof) {
      const spent = database
        .selectFrom("used_sign_in_codes")
        .select("user_id")
        .where("user_id", "=", userId)
        .where("hash", "=", hashSecret(proof));
      return (await spent.executeTakeFirst()) !== undefined;
    },
    async spend(userId, proof, atMs) {
      const row = await database
        .insertInto("used_sign_in_codes")
        .values({ user_id: userId, hash: hashSecret(proof), used_at_ms: atMs })
        .onConflict((conflict) => conflict.doNothing())
        .returning("user_id")
        .executeTakeFirst();
      return row !== undefined;
    },
    async prune(untilMs) {
      await database.deleteFrom("used_sign_in_codes").where("used_at_ms", "<=", untilMs).execute();
    },
  };
}
