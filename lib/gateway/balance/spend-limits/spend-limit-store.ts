import type { Nano } from "@/lib/money/amount";
import type { Transaction } from "../../changes/transaction";
import type { SpendLimitRecord, SpendScope } from "./spend-tracker";

export interface SpendLimitStore {
  list(): Promise<SpendLimitRecord[]>;
  /** Null if there is none. */
  find(scope: SpendScope): Promise<Nano | null>;
  save(transaction: Transaction, record: SpendLimitRecord, atMs: number): Promise<void>;
  delete(transaction: Transaction, scope: SpendScope): Promise<void>;
}
