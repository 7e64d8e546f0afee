import type { Verdict } from "../report/verdicts";

export interface TrialResult {
  readonly verdicts: readonly Verdict[];
  /** The faults in the ledger of the trial's gateway. */
  readonly faults: readonly string[];
}
