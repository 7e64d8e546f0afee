import type { Nano } from "@/lib/money/amount";
import type { Transaction } from "../../changes/transaction";
import type { Scope } from "../../scope";
import type { SpendLimitRecord } from "./spend-tracker";

export interface SpendLimitStore {
  list(): Promise<SpendLimitRecord[]>;
  /** Null if there is none. */
  find(scope: Scope): Promise<Nano | null>;
  save(transaction: Transaction, record: SpendLimitRecord, atMs: number): Promise<void>;
  delete(transaction: Transaction, scope: Scope): Promise<void>;
}
