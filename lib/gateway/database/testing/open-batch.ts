import type { Database } from "bun:sqlite";
import type { Clock } from "../../clock";
import { LedgerBatch, OwnerLease } from "../../ledger/writer/ledger-batch.sql";

const clock: Clock = { nowMs: Date.now, monotonicMs: () => performance.now() };

/** Opens a batch that applies operations without a thread, with a new lease. */
export function openBatch(sqlite: Database): LedgerBatch {
  const batch = new LedgerBatch(sqlite, new OwnerLease(sqlite, "this process", clock));
  batch.keepLease();
  return batch;
}
