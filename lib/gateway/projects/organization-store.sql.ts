import type { NumberFormat } from "@/lib/contract/operations/projects/organization";
import { type Transaction, within } from "../changes/transactions.sql";
import type { Reads } from "../database/database";

export interface Organization {
  readonly id: string;
  readonly name: string;
  /** ISO 4217, in capitals. */
  readonly currency: string;
  /** A picture as a data URL. */
  readonly logo: string | null;
  /** An IANA name; null for the zone of whoever looks. */
  readonly time_zone: string | null;
  readonly number_format: NumberFormat;
}

type OrganizationFields = Omit<Organization, "id" | "currency">;

export function createOrganizationStore(reads: Reads) {
  return {
    /** Null before the first start. */
    async find(): Promise<Organization | null> {
      const row = reads
        .selectFrom("organizations")
        .select(["id", "name", "currency", "logo", "time_zone", "number_format"]);
      return (await row.executeTakeFirst()) ?? null;
    },
    async update(transaction: Transaction, id: string, fields: OrganizationFields): Promise<void> {
      await within(transaction).updateTable("organizations").set(fields).where("id", "=", id).execute();
    },
    async insert(transaction: Transaction, organization: Organization, atMs: number): Promise<void> {
      const values = { ...organization, created_at_ms: atMs };
      await within(transaction).insertInto("organizations").values(values).execute();
    },
  };
}

export type OrganizationStore = ReturnType<typeof createOrganizationStore>;
