import type { AudioPrice, ModelPrice, UnitPrice } from "@/lib/contract/operations/models/models";
import type { Transaction } from "../changes/transaction";
import type { ModelEntry } from "./model-entry";

/** A model that was added in the console. */
export interface StoredModel extends ModelEntry {
  readonly createdAtMs: number;
}

/** A changed price and rate, which override the model's definition. */
export interface StoredPrice {
  readonly model: string;
  readonly rate: string;
  readonly batchRate: string | null;
  /** Exactly one of the two is set. */
  readonly price: ModelPrice | null;
  readonly unitPrice: UnitPrice | null;
  readonly audioPrice: AudioPrice | null;
  readonly updatedAtMs: number;
}

export interface ModelStore {
  /** Oldest first. */
  list(): Promise<StoredModel[]>;
  listPrices(): Promise<StoredPrice[]>;
  insert(transaction: Transaction, model: StoredModel): Promise<void>;
  savePrice(transaction: Transaction, price: StoredPrice): Promise<void>;
}
