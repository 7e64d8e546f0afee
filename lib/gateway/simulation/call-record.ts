import type { TokenUsage } from "@/lib/money/charge";
import type { Admission } from "../admission/admissions";
import type { ChargeBasis, RequestOutcome } from "../balance/funds";

/** How a call was ended, whatever happened to it afterwards. */
export type CallEnding =
  | { readonly kind: "settle"; readonly usage: TokenUsage; readonly basis: ChargeBasis }
  | { readonly kind: "release"; readonly outcome: RequestOutcome };

/** What the books are held against: a call that was let through, as its client, its provider and its gateway know it. */
export interface CallRecord {
  readonly requestId: string;
  readonly admission: Admission;
  /** What the provider will invoice; null where it was never reached. */
  readonly invoice: TokenUsage | null;
  readonly ending: CallEnding | null;
  /** Whether the client has the whole reply. */
  readonly isComplete: boolean;
  /** What was committed of what was generated so far. */
  storedCheckpoint: number;
}
