import type { Verdict } from "../verdicts";

export interface TrialResult {
  readonly verdicts: readonly Verdict[];
  /** What is wrong with the ledger of the gateway that was tried. */
  readonly faults: readonly string[];
}
