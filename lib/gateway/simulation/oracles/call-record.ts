import type { TokenUsage } from "@/lib/money/charge";
import type { ChargeBasis, FinalOutcome } from "../../ledger/funds";
import type { Admission } from "../../rate-limits/admissions";

/** The first way in which a call ended. */
export type CallEnding =
  | { readonly kind: "settle"; readonly usage: TokenUsage; readonly basis: ChargeBasis }
  | { readonly kind: "release"; readonly outcome: FinalOutcome };

/** An admitted call as its client, its provider and its gateway know it. The ledger is compared with it. */
export interface CallRecord {
  readonly requestId: string;
  readonly admission: Admission;
  /** What the provider will invoice; null if it was never reached. */
  readonly invoice: TokenUsage | null;
  readonly ending: CallEnding | null;
  /** Whether the client has the whole reply. */
  readonly isComplete: boolean;
  /** The committed number of tokens generated so far. */
  storedCheckpoint: number;
}
