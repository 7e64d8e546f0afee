import type { OrganizationStore } from "../../projects/organization-store";
import type { Reads } from "../database";
import { within } from "../transactions";

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
