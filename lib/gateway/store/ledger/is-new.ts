import type { LedgerOperation } from "./ledger-operation";

const moves: readonly LedgerOperation["kind"][] = [
  "hold",
  "payment",
  "payments",
  "correction",
  "approve payment",
];

/** Returns true if a queued operation may be refused. The end of a call may not. */
export function isNew({ kind }: LedgerOperation): boolean {
  return moves.includes(kind);
}
