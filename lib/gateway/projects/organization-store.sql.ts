import type { Transaction } from "../changes/transaction";
import { within } from "../changes/transactions.sql";
import type { Reads } from "../database/database";

export interface Organization {
  readonly id: string;
  readonly name: string;
  /** ISO 4217, in capitals. */
  readonly currency: string;
}

export function createOrganizationStore(reads: Reads) {
  return {
    /** Null before the first start. */
    async find(): Promise<Organization | null> {
      const row = reads.selectFrom("organizations").select(["id", "name", "currency"]);
      return (await row.executeTakeFirst()) ?? null;
    },
    async rename(transaction: Transaction, id: string, name: string): Promise<void> {
      await within(transaction).updateTable("organizations").set({ name }).where("id", "=", id).execute();
    },
    async insert(transaction: Transaction, organization: Organization, atMs: number): Promise<void> {
      const values = { ...organization, created_at_ms: atMs };
      await within(transaction).insertInto("organizations").values(values).execute();
    },
  };
}

export type OrganizationStore = ReturnType<typeof createOrganizationStore>;
