import { within } from "../../changes/transactions.sql";
import type { Reads } from "../../database/database";
import type { DigestStore } from "./digest-store";

export function createSqliteDigestStore(reads: Reads): DigestStore {
  return {
    async find(id, position) {
      const row = await reads
        .selectFrom("stored_objects")
        .select("sha256")
        .where("id", "=", id)
        .where("position", "=", position)
        .executeTakeFirst();
      return row?.sha256 ?? null;
    },
    async keep(transaction, id, position, sha256) {
      await within(transaction)
        .insertInto("stored_objects")
        .values({ id, position, sha256 })
        .onConflict((conflict) => conflict.doUpdateSet({ sha256 }))
        .execute();
    },
    async delete(transaction, id) {
      await within(transaction).deleteFrom("stored_objects").where("id", "=", id).execute();
    },
  };
}
