import { within } from "../changes/transactions.sql";
import type { Reads } from "../database/database";
import type { OrganizationStore } from "./organization-store";

export function createSqliteOrganizationStore(reads: Reads): OrganizationStore {
  return {
    async find() {
      const row = reads.selectFrom("organizations").select(["id", "name", "currency"]);
      return (await row.executeTakeFirst()) ?? null;
    },
    async insert(transaction, organization, atMs) {
      const values = { ...organization, created_at_ms: atMs };
      await within(transaction).insertInto("organizations").values(values).execute();
    },
  };
}
