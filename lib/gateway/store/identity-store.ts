import type { IdentityStore } from "../sign-in/identities";
import type { Database } from "./database";

export function createIdentityStore(database: Database): IdentityStore {
  return {
    async memberOf({ issuer, subject }) {
      const row = await database
        .selectFrom("sign_in_identities")
        .select("user_id")
        .where("issuer", "=", issuer)
        .where("subject", "=", subject)
        .executeTakeFirst();
      return row?.user_id ?? null;
    },
    async isLinked(userId) {
      const linked = database
        .selectFrom("sign_in_identities")
        .select("user_id")
        .where("user_id", "=", userId);
      return (await linked.executeTakeFirst()) !== undefined;
    },
    async link({ issuer, subject }, userId, atMs) {
      const row = await database
        .insertInto("sign_in_identities")
        .values({ issuer, subject, user_id: userId, created_at_ms: atMs })
        .onConflict((conflict) => conflict.doNothing())
        .returning("user_id")
        .executeTakeFirst();
      return row !== undefined;
    },
    async unlink(userId) {
      const row = await database
        .deleteFrom("sign_in_identities")
        .where("user_id", "=", userId)
        .returning("user_id")
        .executeTakeFirst();
      return row !== undefined;
    },
  };
}
