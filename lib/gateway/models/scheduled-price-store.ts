import type { ModelChange } from "@/lib/contract/operations/models/models";
import type { Transaction } from "../changes/transaction";

/** A change of a model's prices at a future time. */
export interface ScheduledPrice {
  readonly id: string;
  readonly model: string;
  readonly effectiveAtMs: number;
  readonly change: ModelChange;
  readonly createdAtMs: number;
}

export interface ScheduledPriceStore {
  /** Earliest first. */
  list(): Promise<ScheduledPrice[]>;
  insert(transaction: Transaction, price: ScheduledPrice): Promise<void>;
  delete(transaction: Transaction, id: string): Promise<void>;
}
