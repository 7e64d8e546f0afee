import type { Nano } from "@/lib/money/amount";
import type { ChargeBasis } from "./funds";

/** The result of one check of the books. */
export interface ReconciliationCheck {
  /** The invariant's number in their list, such as I1. */
  readonly id: string;
  readonly title: string;
  /** What was checked, in words. */
  readonly checked: string;
  /** One sentence per fault; empty if there is none. */
  readonly faults: readonly string[];
}

/** A proof of the books. */
export interface Reconciliation {
  readonly startedAtMs: number;
  readonly tookMs: number;
  /** The ledger's entries, and how many of them an earlier proof had verified. */
  readonly entries: number;
  readonly entriesBefore: number;
  readonly checks: readonly ReconciliationCheck[];
  /** The charges by the basis of their usage. */
  readonly charged: readonly { readonly basis: ChargeBasis; readonly calls: number; readonly amount: Nano }[];
  /** The cost that providers reported beyond the holds. Customers aren't charged for it. */
  readonly variance: Nano;
}

/** The progress of a running proof. */
export interface ReconciliationProgress {
  readonly startedAtMs: number;
  readonly entries: number;
  readonly verified: number;
}

export interface Reconciler {
  /**
   * Proves the books on a separate thread, starting after the last proof's end or, with `isWhole`, at the first entry.
   * Waits a moment for the result.
   * @returns the proof, or its progress.
   */
  prove(isWhole: boolean): Promise<Reconciliation | ReconciliationProgress>;
}
