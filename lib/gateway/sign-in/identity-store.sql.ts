import { within } from "../changes/transactions.sql";
import type { Reads } from "../database/database";
import type { IdentityStore } from "./identities";

export function createSqliteIdentityStore(reads: Reads): IdentityStore {
  return {
    async findMember({ issuer, subject }) {
      const row = await reads
        .selectFrom("sign_in_identities")
        .select("user_id")
        .where("issuer", "=", issuer)
        .where("subject", "=", subject)
        .executeTakeFirst();
      return row?.user_id ?? null;
    },
    async isLinked(userId) {
      const linked = reads.selectFrom("sign_in_identities").select("user_id").where("user_id", "=", userId);
      return (await linked.executeTakeFirst()) !== undefined;
    },
    async link(transaction, { issuer, subject }, userId, atMs) {
      const row = await within(transaction)
        .insertInto("sign_in_identities")
        .values({ issuer, subject, user_id: userId, created_at_ms: atMs })
        .onConflict((conflict) => conflict.doNothing())
        .returning("user_id")
        .executeTakeFirst();
      return row !== undefined;
    },
    async unlink(transaction, userId) {
      const row = await within(transaction)
        .deleteFrom("sign_in_identities")
        .where("user_id", "=", userId)
        .returning("user_id")
        .executeTakeFirst();
      return row !== undefined;
    },
  };
}
