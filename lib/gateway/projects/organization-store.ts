import type { Transaction } from "../changes/transaction";

export interface Organization {
  readonly id: string;
  readonly name: string;
  /** ISO 4217, in capitals. */
  readonly currency: string;
}

export interface OrganizationStore {
  /** Null before the first start. */
  find(): Promise<Organization | null>;
  insert(transaction: Transaction, organization: Organization, atMs: number): Promise<void>;
}
