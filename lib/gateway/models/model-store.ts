import type { ModelPrice } from "@/lib/contract/operations/models";
import type { Transaction } from "../changes/transaction";
import type { ModelEntry } from "./model-entry";

/** A model added in the console. */
export interface StoredModel extends ModelEntry {
  readonly price: ModelPrice;
  readonly max_output_tokens: number;
  readonly createdAtMs: number;
}

/** A price and rate that stand above those a model was written down with, wherever that was. */
export interface StoredPrice {
  readonly model: string;
  readonly rate: string;
  readonly price: ModelPrice;
  readonly updatedAtMs: number;
}

export interface ModelStore {
  /** Oldest first. */
  list(): Promise<StoredModel[]>;
  listPrices(): Promise<StoredPrice[]>;
  insert(transaction: Transaction, model: StoredModel): Promise<void>;
  savePrice(transaction: Transaction, price: StoredPrice): Promise<void>;
}
