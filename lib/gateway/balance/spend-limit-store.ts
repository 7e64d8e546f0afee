import type { SpendLimitRecord, SpendScope } from "./spend-book";

export interface SpendLimitStore {
  list(): Promise<SpendLimitRecord[]>;
  save(record: SpendLimitRecord, atMs: number): Promise<void>;
  delete(scope: SpendScope): Promise<void>;
}
