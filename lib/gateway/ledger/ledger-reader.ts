import type { LedgerEntry } from "@/lib/contract/operations/money/balance";
import type { Nano } from "@/lib/money/amount";
import type { AudioTokens, PriceSnapshot } from "@/lib/money/charge";
import type { PagedList } from "../lists/paged-list";
import type { EarlierPayment } from "./payments/duplicate-payments";

/** A row of the ledger. */
export interface LedgerRecord {
  readonly id: string;
  readonly kind: LedgerEntry["kind"];
  readonly amount: Nano;
  readonly fromAccount: string;
  readonly toAccount: string;
  readonly createdAtMs: number;
  readonly reference: string | null;
  /** Set on payments only. */
  readonly note: string | null;
  /** For a correction, the entry that it reverses, wholly or in part, and the reason; null on other entries. */
  readonly corrects: string | null;
  readonly reason: string | null;
  /** The sum of the corrections of a payment or a charge; null on other entries. */
  readonly corrected: Nano | null;
  /** The balance after this entry; null until it is known. */
  readonly balanceAfter: Nano | null;
  /** The charged call and the basis of its usage. On a correction, the corrected call. Null for a payment. */
  readonly call: ChargeDetails | null;
}

export interface ChargeDetails {
  readonly basis: LedgerEntry["basis"];
  readonly requestId: string;
  readonly projectId: string | null;
  /** The project's present name; null if it is unknown. */
  readonly projectName: string | null;
  readonly keyId: string | null;
  readonly keyName: string | null;
  readonly model: string | null;
  readonly promptTokens: number | null;
  readonly completionTokens: number | null;
  /** Millionths of the price's unit; null on a charge for tokens only. */
  readonly units: number | null;
  /** The batch whose line it is. */
  readonly batchId: string | null;
  readonly price: PriceSnapshot | null;
  /** The tokens of audio, with a price of their own or without; absent if there are none. */
  readonly audio?: AudioTokens;
}

/** Which entries to list. An absent field filters nothing. */
export interface LedgerFilter {
  readonly kind?: LedgerEntry["kind"] | undefined;
  readonly projectId?: string | undefined;
  readonly model?: string | undefined;
  readonly requestId?: string | undefined;
  /** The key or member that a call is charged to. */
  readonly keyId?: string | undefined;
  /** The time of the entry: inclusive start and exclusive end. */
  readonly startMs?: number | undefined;
  readonly endMs?: number | undefined;
  /** The absolute amount. */
  readonly minAmount?: Nano | undefined;
  readonly maxAmount?: Nano | undefined;
  /** A part of its reference; ignores case. */
  readonly reference?: string | undefined;
  /** The entry that corrections name. */
  readonly corrects?: string | undefined;
  /**
   * A part of its reference, its note, its reason, its ids, its model, or the name of its project, key or member;
   * ignores case.
   */
  readonly text?: string | undefined;
}

export interface LedgerReader {
  /** The stored balance, and the sum and the number of open holds, read in one snapshot. */
  balance(): Promise<{ posted: Nano; held: Nano; holds: number }>;
  /** The number of open holds of calls, and of tasks, that the process `owner` answers. */
  countOpenHolds(owner: string): Promise<number>;
  find(entryId: string): Promise<LedgerRecord | null>;
  /** The charge of a call; null if there is none yet, or if the call was free. */
  findCharge(requestId: string): Promise<LedgerRecord | null>;
  /** Newest first. */
  pages(filter: LedgerFilter): PagedList<LedgerRecord>;
  /** The payments of these amounts that aren't wholly corrected, and those that wait for approval. */
  findPaymentsByAmount(amounts: readonly Nano[]): Promise<EarlierPayment[]>;
}
