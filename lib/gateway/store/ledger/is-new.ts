import type { LedgerOperation } from "./ledger-operation";

/** Returns true if a queued operation may be refused. The end of a call may not. */
export function isNew({ kind }: LedgerOperation): boolean {
  return kind === "hold" || kind === "payment" || kind === "correction" || kind === "approve payment";
}
