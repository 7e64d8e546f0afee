import type { RefusalFacts } from "@/lib/contract/errors";
import type { CarriedMeasure } from "@/lib/contract/rate-limit-table";
import type { Nano } from "@/lib/money/amount";
import type { PriceSnapshot, ReportedUsage } from "@/lib/money/charge";
import type { AuditContext } from "../audit/audit-context";
import type { TaskDraft, TaskEnd } from "./held-task";
import type { Idempotency } from "./idempotency";
import type { PaymentApproval, PaymentPerson } from "./pending-payment";

/** How the usage of a charge is known: said by the provider, counted by the gateway, or found after a crash. */
export const chargeBases = ["reported", "estimated", "interrupted"] as const;
export type ChargeBasis = (typeof chargeBases)[number];

/**
 * How a request ended. `refused` and `unsent` never reached a provider and count in no limit; `provider_failed` did and
 * is not charged.
 */
export type RequestOutcome =
  | "completed"
  | "client_gone"
  | "provider_failed"
  | "interrupted"
  | "refused"
  | "unsent";

/** The most one call can cost, set aside before anything goes to a provider. */
export interface HoldDraft {
  readonly id: string;
  readonly requestId: string;
  readonly amount: Nano;
  readonly projectId: string;
  readonly keyId: string;
  readonly model: string;
  readonly promptTokens: number;
  readonly maxCompletionTokens: number;
  readonly price: PriceSnapshot;
  readonly createdAtMs: number;
  readonly deadlineAtMs: number;
  /** The most it makes, in millionths of the price's unit; absent where the price has none. */
  readonly units?: number | undefined;
  /** What the call carries besides text, in whole numbers, for the limits on that; absent where it carries nothing. */
  readonly carried?: Partial<Record<CarriedMeasure, number>> | undefined;
  /** The task it pays for. Such a hold outlives its process: whoever takes it over keeps it open until the task ends. */
  readonly taskId?: string | undefined;
  /** Kept until the hold is released; with a task, for the usual 24 hours. */
  readonly idempotency?: Idempotency | undefined;
}

/** How a call ended, for the request log. The hold says whose call it was. */
export interface CallEnd {
  readonly outcome: RequestOutcome;
  readonly status: number;
  readonly stream: boolean;
  readonly estimatedTokens: number;
  readonly firstByteMs: number | null;
  readonly durationMs: number;
  readonly atMs: number;
  /** The provider of its last attempt; null where that is not known. */
  readonly provider: string | null;
  /** What its receipt tells besides, as `writeTrace` wrote it. */
  readonly trace: string | null;
}

/** A call under way, as its charge and its receipt tell of it if the gateway dies before it ends. */
export interface CallCheckpoint {
  /** What has been generated so far: the least that it costs. */
  readonly completionTokens: number;
  readonly stream: boolean;
  /** As those of `CallEnd`. */
  readonly provider: string | null;
  readonly trace: string | null;
}

/** What a hold is settled at. More than was held is booked as `provider_variance`: the customer never pays it. */
export interface Settlement {
  readonly holdId: string;
  readonly entryId: string;
  readonly varianceEntryId: string;
  readonly charge: Nano;
  readonly usage: ReportedUsage;
  readonly basis: ChargeBasis;
  readonly end: CallEnd;
  /** The reply's body, kept for repeats where the hold has an idempotency key. */
  readonly reply?: string | undefined;
  readonly task?: TaskEnd | undefined;
}

export interface Release {
  readonly holdId: string;
  readonly end: CallEnd;
  readonly task?: TaskEnd | undefined;
}

/** A request that was refused before it had a hold. */
export interface RefusedRequest {
  readonly requestId: string;
  readonly atMs: number;
  readonly projectId: string;
  readonly keyId: string;
  readonly model: string;
  readonly stream: boolean;
  readonly status: number;
  /** The limit's field, `balance`, or the code of the error. */
  readonly refusedBy: string;
  readonly estimatedTokens: number;
  /** The figures of the refusal, with those that not every caller may see. */
  readonly facts?: RefusalFacts;
  /** As that of `CallEnd`. */
  readonly trace?: string;
}

export interface Payment {
  readonly id: string;
  readonly amount: Nano;
  readonly reference: string | null;
  readonly createdAtMs: number;
}

export type PaymentOutcome =
  | { readonly kind: "recorded"; readonly payment: Payment }
  | { readonly kind: "repeated"; readonly payment: Payment }
  /** Above the amount that is set: it waits for a second person, under this id. */
  | { readonly kind: "pending"; readonly id: string }
  | { readonly kind: "conflict" }
  /** The balance would leave the range of a 64-bit integer of nano-units. */
  | { readonly kind: "too_large" };

export type ApprovalOutcome =
  | { readonly kind: "approved"; readonly payment: Payment }
  | { readonly kind: "unknown" }
  | { readonly kind: "decided"; readonly status: string }
  /** Who approves has recorded it. */
  | { readonly kind: "own" }
  | { readonly kind: "too_large" };

/** The balance, and how much of it the open holds of all processes set aside. */
export interface StoredFunds {
  readonly posted: bigint;
  readonly held: bigint;
}

/** Whose holds are taken over: those of owners whose lease is over, or of all others where no other process can be running. */
export type FormerOwners = "expired" | "all but mine";

/**
 * The one way to move money: it is held, then settled or released. A promise that resolves means: on disk. One that rejects carries
 * the refusal `store_unavailable`, and nothing was stored: a settlement or release has to be asked for again.
 */
export interface Funds {
  /**
   * What may be held, as far as this process knows: less than there is while others are paid or release something, more while they
   * hold. The store decides.
   */
  readonly available: Nano;
  /**
   * Stores a hold as dispatched, owned by this process for as long as it renews its lease. @returns false when the stored balance
   * doesn't cover it: nothing was stored. `task` is stored with it.
   */
  placeHold(hold: HoldDraft, task?: TaskDraft): Promise<boolean>;
  /** Settles a hold. @returns false where it was resolved before, or taken over: the first end counts, and nothing was changed. */
  settle(settlement: Settlement): Promise<boolean>;
  release(release: Release): Promise<boolean>;
  /**
   * Resolves what processes that are gone have left open, as interrupted; tasks' holds become this process's.
   * @returns how many holds there were.
   */
  takeOver(owners: FormerOwners, nowMs: number): Promise<number>;
  /** Its audit event is committed with it. */
  recordPayment(
    payment: Payment,
    idempotency: Idempotency | null,
    event: AuditContext,
    /** Absent for the gateway's own. */
    maker?: PaymentPerson | undefined,
  ): Promise<PaymentOutcome>;
  /** The entry, its approval and their audit events are committed together. */
  approvePayment(approval: PaymentApproval): Promise<ApprovalOutcome>;
  /** Stores what is known of a call under way, in case the gateway dies. Not waited for. */
  checkpoint(holdId: string, checkpoint: CallCheckpoint): void;
  /** Counts a refusal when there is time, and logs a sample. Under overload refusals may be lost, never charges. */
  logRefusal(refused: RefusedRequest): void;
  /** False while the store doesn't answer. */
  isHealthy(): boolean;
  /** Writes what is queued, then closes the connection. */
  close(): Promise<void>;
}
