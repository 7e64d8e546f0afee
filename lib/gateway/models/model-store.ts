import type { ModelPrice, UnitPrice } from "@/lib/contract/operations/models";
import type { Transaction } from "../changes/transaction";
import type { ModelEntry } from "./model-entry";

/** A model added in the console. */
export interface StoredModel extends ModelEntry {
  readonly max_output_tokens: number;
  readonly createdAtMs: number;
}

/** A saved price and rate, which override those that the model was defined with. */
export interface StoredPrice {
  readonly model: string;
  readonly rate: string;
  /** One of the two. */
  readonly price: ModelPrice | null;
  readonly unitPrice: UnitPrice | null;
  readonly updatedAtMs: number;
}

export interface ModelStore {
  /** Oldest first. */
  list(): Promise<StoredModel[]>;
  listPrices(): Promise<StoredPrice[]>;
  insert(transaction: Transaction, model: StoredModel): Promise<void>;
  savePrice(transaction: Transaction, price: StoredPrice): Promise<void>;
}
