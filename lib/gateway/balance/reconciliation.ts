import type { Nano } from "@/lib/money/amount";
import type { ChargeBasis } from "./funds";

/** What one check of the books found. */
export interface ReconciliationCheck {
  /** Its number in the list of invariants, such as I1. */
  readonly id: string;
  readonly title: string;
  /** What was looked at, in words. */
  readonly looked: string;
  /** What is wrong, a sentence each; empty where all is in order. */
  readonly faults: readonly string[];
}

/** A proof of the books. */
export interface Reconciliation {
  readonly startedAtMs: number;
  readonly tookMs: number;
  /** The ledger's entries, and those of them that an earlier proof had found in order. */
  readonly entries: number;
  readonly entriesBefore: number;
  readonly checks: readonly ReconciliationCheck[];
  /** What was charged, by how its usage is known. */
  readonly charged: readonly { readonly basis: ChargeBasis; readonly calls: number; readonly amount: Nano }[];
  /** What providers took beyond what was held, which nobody is charged. */
  readonly variance: Nano;
}

/** How far a proof has come that is under way. */
export interface ReconciliationProgress {
  readonly startedAtMs: number;
  readonly entries: number;
  readonly verified: number;
}

export interface Reconciler {
  /**
   * Proves the books on a thread of its own, from where the last proof ended or, where `isWhole`, from the first entry. Waits for it a
   * moment. @returns the proof, or how far it has come.
   */
  prove(isWhole: boolean): Promise<Reconciliation | ReconciliationProgress>;
}
