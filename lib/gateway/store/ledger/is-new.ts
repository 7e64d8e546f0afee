import type { LedgerOperation } from "./ledger-operation";

/** Whether an operation may be refused while it waits. One that ends a call may not. */
export function isNew({ kind }: LedgerOperation): boolean {
  return kind === "hold" || kind === "payment" || kind === "correction" || kind === "approve payment";
}
