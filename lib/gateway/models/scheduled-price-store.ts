import type { ModelChange } from "@/lib/contract/operations/models";
import type { Transaction } from "../changes/transaction";

/** A change of a model's prices that takes effect at a time to come. */
export interface ScheduledPrice {
  readonly id: string;
  readonly model: string;
  readonly effectiveAtMs: number;
  readonly change: ModelChange;
  readonly createdAtMs: number;
}

export interface ScheduledPriceStore {
  /** The next one first. */
  list(): Promise<ScheduledPrice[]>;
  insert(transaction: Transaction, price: ScheduledPrice): Promise<void>;
  delete(transaction: Transaction, id: string): Promise<void>;
}
