import type { Database } from "bun:sqlite";
import type { Clock } from "../../effects";
import { LedgerBatch } from "./ledger-batch";
import { OwnerLease } from "./owner-lease";

const clock: Clock = { nowMs: Date.now, monotonicMs: () => performance.now() };

/** For tests: operations applied without a thread, under a lease that was just taken. */
export function openBatch(sqlite: Database): LedgerBatch {
  const batch = new LedgerBatch(sqlite, new OwnerLease(sqlite, "this process", clock));
  batch.keepLease();
  return batch;
}
