import type { Transaction } from "../changes/transaction";
import { within } from "../changes/transactions.sql";
import type { Reads } from "../database/database";

/** A person at an OpenID provider. The pair never changes and is never reassigned (OpenID Connect Core, 2). */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
}

/** Each identity belongs to at most one member, and each member has at most one identity. */
export function createIdentityStore(reads: Reads) {
  return {
    /** The member it belongs to. */
    async findMember({ issuer, subject }: Identity): Promise<string | null> {
      const row = await reads
        .selectFrom("sign_in_identities")
        .select("user_id")
        .where("issuer", "=", issuer)
        .where("subject", "=", subject)
        .executeTakeFirst();
      return row?.user_id ?? null;
    },
    async isLinked(userId: string): Promise<boolean> {
      const linked = reads.selectFrom("sign_in_identities").select("user_id").where("user_id", "=", userId);
      return (await linked.executeTakeFirst()) !== undefined;
    },
    /** @returns false, without changing anything, if either is already linked. */
    async link(
      transaction: Transaction,
      { issuer, subject }: Identity,
      userId: string,
      atMs: number,
    ): Promise<boolean> {
      const row = await within(transaction)
        .insertInto("sign_in_identities")
        .values({ issuer, subject, user_id: userId, created_at_ms: atMs })
        .onConflict((conflict) => conflict.doNothing())
        .returning("user_id")
        .executeTakeFirst();
      return row !== undefined;
    },
    /** @returns whether there was one. */
    async unlink(transaction: Transaction, userId: string): Promise<boolean> {
      const row = await within(transaction)
        .deleteFrom("sign_in_identities")
        .where("user_id", "=", userId)
        .returning("user_id")
        .executeTakeFirst();
      return row !== undefined;
    },
  };
}

export type IdentityStore = ReturnType<typeof createIdentityStore>;
