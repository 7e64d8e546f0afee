import type { AuditContext } from "../../changes/audit/audit-event";
import type { StoreClaim } from "../../database/store-guard";
import type { Idempotency } from "../../idempotency/idempotency";
import type {
  CallCheckpoint,
  FormerOwners,
  HoldDraft,
  HoldOutcome,
  RefusedRequest,
  Release,
  Settlement,
  StoredFunds,
  TaskDraft,
} from "../funds";
import type {
  ApprovalOutcome,
  Correction,
  CorrectionOutcome,
  ImportedPayment,
  ImportOutcome,
  Payment,
  PaymentApproval,
  PaymentMaker,
  PaymentOutcome,
} from "../payments/posting";

/** The operations of the writer thread. */
export type LedgerOperation =
  | { readonly kind: "hold"; readonly hold: HoldDraft; readonly task?: TaskDraft }
  | { readonly kind: "settle"; readonly settlement: Settlement }
  | { readonly kind: "release"; readonly release: Release }
  | { readonly kind: "checkpoint"; readonly holdId: string; readonly checkpoint: CallCheckpoint }
  | { readonly kind: "take over"; readonly owners: FormerOwners; readonly nowMs: number }
  /** Tests whether the store accepts writes. Changes nothing. */
  | { readonly kind: "probe" }
  | { readonly kind: "refusal"; readonly refused: RefusedRequest }
  | {
      readonly kind: "payment";
      readonly payment: Payment | ImportedPayment;
      readonly idempotency: Idempotency | null;
      readonly audit: AuditContext | null;
      /** Absent for the gateway's own payments, which need no approval. */
      readonly maker?: PaymentMaker | undefined;
    }
  | {
      readonly kind: "payments";
      readonly payments: readonly ImportedPayment[];
      readonly idempotency: Idempotency | null;
      readonly audit: AuditContext | null;
      readonly maker: PaymentMaker;
    }
  | {
      readonly kind: "correction";
      readonly correction: Correction;
      readonly idempotency: Idempotency | null;
      readonly audit: AuditContext | null;
      readonly maker?: PaymentMaker | undefined;
    }
  | { readonly kind: "approve payment"; readonly approval: PaymentApproval };

/**
 * `failed`: the store rejected it, and nothing of it is stored. Otherwise, for a hold: its outcome; for the end of a
 * hold: whether it was open; for a takeover: the number of resolved holds.
 */
export type LedgerResult =
  | { readonly failed: string }
  | HoldResult
  | number
  | PaymentOutcome
  | ImportOutcome
  | CorrectionOutcome
  | ApprovalOutcome;

/** `operations` is encoded by `encodeOperations`. */
export type ToWriter =
  /** `progress` is shared memory, where the writer counts its steps. */
  | {
      readonly kind: "open";
      readonly claim: StoreClaim;
      readonly secret: Uint8Array;
      readonly progress: Int32Array;
    }
  | { readonly kind: "batch"; readonly operations: string }
  | { readonly kind: "close" };

export type FromWriter =
  | { readonly kind: "opened"; readonly stored: StoredFunds }
  /** `stored` holds the figures after the batch; null if it failed. */
  | {
      readonly kind: "batch";
      readonly results: readonly LedgerResult[];
      readonly stored: StoredFunds | null;
    }
  /** Sent without a request, since other processes may have changed the figures. */
  | { readonly kind: "stored"; readonly stored: StoredFunds }
  /** Sent without a request: writing is no longer possible. */
  | { readonly kind: "lost"; readonly reason: string }
  | { readonly kind: "closed" };

/** A hold's outcome as the writer sends it: true for `placed`, false for `not covered`. */
export type HoldResult = boolean | Exclude<HoldOutcome, "placed" | "not covered">;

export function toHoldOutcome(result: HoldResult): HoldOutcome {
  if (result === true) return "placed";
  return result === false ? "not covered" : result;
}

/** A writer that makes no progress for so long has stopped, and new callers don't wait for it. */
export const STALLED_MS = 1_000;
/** The most that a batch of a slow writer is waited for: much shorter than a lease. */
const SLOW_MS = 5_000;
/** How often a batch is looked at within `STALLED_MS`. */
const LOOKS = 4;

/** How long the writer is waited for. */
export interface WriterPatience {
  readonly stalledMs: number;
  readonly slowMs: number;
}

export const usualPatience: WriterPatience = { stalledMs: STALLED_MS, slowMs: SLOW_MS };

/**
 * Tells a writer that has stopped from one on a slow machine. A look at it counts by the progress since the last one,
 * not by the clock: where looks come late, the writer has had as little time as they.
 */
export class WriterWatch {
  #sentAtMs = 0;
  #seen = 0;
  #idleLooks = 0;

  /** @param readProgress a number that changes with each step of the writer. */
  constructor(
    private readonly readProgress: () => number,
    private readonly patience: WriterPatience,
  ) {}

  /** The time between two looks. */
  get pauseMs(): number {
    return this.patience.stalledMs / LOOKS;
  }

  /** Call it when a batch is sent. */
  begin(nowMs: number): void {
    this.#sentAtMs = nowMs;
    this.#seen = this.readProgress();
    this.#idleLooks = 0;
  }

  /** Whether the writer has stopped. */
  look(nowMs: number): boolean {
    const progress = this.readProgress();
    this.#idleLooks = progress === this.#seen ? this.#idleLooks + 1 : 0;
    this.#seen = progress;
    return this.#idleLooks >= LOOKS || this.isTooLate(nowMs);
  }

  /** Whether an answer comes so late that its callers are refused, however it came about. */
  isTooLate(nowMs: number): boolean {
    return nowMs - this.#sentAtMs > this.patience.slowMs;
  }
}
