import type { MediaFamily } from "@/lib/contract/calls/model-families";
import type { CarriedMeasure } from "@/lib/contract/calls/rate-limit-table";
import type { RequestOutcome } from "@/lib/contract/calls/request-outcomes";
import type { RefusalFacts } from "@/lib/contract/errors";
import type { Nano } from "@/lib/money/amount";
import type { PriceSnapshot, ReportedUsage } from "@/lib/money/charge";
import type { AuditContext } from "../changes/audit/audit-event";
import { SealBrokenError, seal, unseal } from "../database/seal";
import type { Idempotency } from "../idempotency/idempotency";
import { Secret } from "../secrets/secret";
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
} from "./payments/posting";

/**
 * How the usage of a charge is known: reported by the provider, estimated by the gateway, or determined after a crash.
 */
export const chargeBases = ["reported", "estimated", "interrupted"] as const;
export type ChargeBasis = (typeof chargeBases)[number];

/** How a request ended. */
export type FinalOutcome = Exclude<RequestOutcome, "in_progress">;

/** The maximum cost of one call, held before anything is sent to a provider. */
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
  /** The units charged if the usage is unknown, in millionths of the price's unit; absent if the price has no unit. */
  readonly units?: number | undefined;
  /** Media in the prompt, in whole numbers, for the limits on images and audio; absent if there are none. */
  readonly carried?: Partial<Record<CarriedMeasure, number>> | undefined;
  /**
   * The task that the hold is for. Such a hold outlives its process: the process that takes it over keeps it open until
   * the task ends.
   */
  readonly taskId?: string | undefined;
  /** The batch whose line the call is. */
  readonly batchId?: string | undefined;
  /** Stored until the hold is released; for a task, for the usual 24 hours. */
  readonly idempotency?: Idempotency | undefined;
}

/** The task that ends with its hold, for observers: an earlier process may have placed the hold. */
export interface EndedTask {
  readonly family: MediaFamily;
  readonly hold: Pick<HoldDraft, "requestId" | "projectId" | "model" | "amount">;
}

/** How a call ended, for the request log. The hold identifies the call. */
export interface CallEnd {
  readonly outcome: FinalOutcome;
  readonly status: number;
  readonly stream: boolean;
  readonly estimatedTokens: number;
  readonly firstByteMs: number | null;
  readonly durationMs: number;
  readonly atMs: number;
  /** The provider of its last attempt; null if it is unknown. */
  readonly provider: string | null;
  /** Details for its receipt, as encoded by `writeReceiptDetails`. */
  readonly receiptDetails: string | null;
}

/** A call in progress: what its charge and its receipt show if the gateway dies before it ends. */
export interface CallCheckpoint {
  /** The tokens generated so far, and the least that it is charged for. */
  readonly completionTokens: number;
  readonly stream: boolean;
  readonly provider: string | null;
  readonly receiptDetails: string | null;
}

/**
 * The settlement of a hold. A charge beyond the hold is booked as `provider_variance`, and the customer never pays it.
 */
export interface Settlement {
  readonly holdId: string;
  readonly entryId: string;
  readonly varianceEntryId: string;
  readonly charge: Nano;
  readonly usage: ReportedUsage;
  /** The tokens that count in the limits; absent where all do. */
  readonly countedTokens?: number | undefined;
  readonly basis: ChargeBasis;
  readonly end: CallEnd;
  /** The reply's body, stored for repeats if the hold has an idempotency key. */
  readonly reply?: string | undefined;
  readonly task?: TaskEnd | undefined;
}

export interface Release {
  readonly holdId: string;
  readonly end: CallEnd;
  readonly task?: TaskEnd | undefined;
}

/** A request that was refused before a hold was placed. */
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
  readonly batchId?: string | undefined;
  /** The figures of the refusal, including those that only some callers may see. */
  readonly facts?: RefusalFacts;
  readonly receiptDetails?: string;
}

/**
 * Whether a hold was stored. If not: the stored balance doesn't cover it; another call with its idempotency key is
 * under way or was charged, in any process; or it is for a line of a batch that this process no longer runs.
 */
export type HoldOutcome = "placed" | "not covered" | "repeated" | "taken over";

/** The balance, and the sum of the open holds of all processes. */
export interface StoredFunds {
  readonly posted: bigint;
  readonly held: bigint;
}

/**
 * Whose holds to take over: of owners with an expired lease, or of all other owners if no other process can be
 * running.
 */
export type FormerOwners = "expired" | "all but mine";

/**
 * The only way to move money: it is held, then settled or released. Once a promise resolves, its effect is on disk. A
 * promise that rejects carries the refusal `store_unavailable`, and nothing was stored: repeat a settlement or release.
 */
export interface Funds {
  /**
   * The amount available for holds, as far as this process knows. Other processes' payments and releases make it too
   * low, their holds too high. The store decides.
   */
  readonly available: Nano;
  /** Stores a hold as dispatched, owned by this process while it renews its lease; `task` is stored with it. */
  placeHold(hold: HoldDraft, task?: TaskDraft): Promise<HoldOutcome>;
  /**
   * Settles a hold.
   * @returns false if it was already resolved or taken over: only the first end counts, and nothing was changed.
   */
  settle(settlement: Settlement, task?: EndedTask): Promise<boolean>;
  release(release: Release, task?: EndedTask): Promise<boolean>;
  /**
   * Resolves the holds that dead processes left open, as interrupted. Holds of tasks become this process's.
   * @returns the number of holds.
   */
  takeOver(owners: FormerOwners, nowMs: number): Promise<number>;
  /** Commits the payment together with its audit event. */
  recordPayment(
    payment: Payment | ImportedPayment,
    idempotency: Idempotency | null,
    event: AuditContext,
    /** Absent for payments that the gateway records by itself. */
    maker?: PaymentMaker | undefined,
  ): Promise<PaymentOutcome>;
  /** Commits all payments, each with its audit event, or none. */
  importPayments(
    payments: readonly ImportedPayment[],
    idempotency: Idempotency | null,
    event: AuditContext,
    maker: PaymentMaker,
  ): Promise<ImportOutcome>;
  /** Commits the correction together with its audit event. */
  recordCorrection(
    correction: Correction,
    idempotency: Idempotency | null,
    event: AuditContext,
    maker?: PaymentMaker | undefined,
  ): Promise<CorrectionOutcome>;
  /** Commits the entry, its approval and their audit events together. */
  approvePayment(approval: PaymentApproval): Promise<ApprovalOutcome>;
  /** Stores the state of a call in progress, in case the gateway dies. Nothing waits for it. */
  checkpoint(holdId: string, checkpoint: CallCheckpoint): void;
  /**
   * Counts a refusal when the store is idle, and logs a sample. Under overload refusals may be lost; charges never are.
   */
  logRefusal(refused: RefusedRequest): void;
  /** False while the store doesn't answer. */
  isHealthy(): boolean;
  /** Writes what is queued, then closes the connection. */
  close(): Promise<void>;
}

/** Ends a call that was refused while its hold was in transit, `afterMs` after it arrived. */
export function releaseRefused(
  { id, promptTokens, maxCompletionTokens, createdAtMs }: HoldDraft,
  afterMs: number,
): Release {
  const estimatedTokens = promptTokens + maxCompletionTokens;
  const times = { firstByteMs: null, durationMs: afterMs, atMs: createdAtMs + afterMs };
  return {
    holdId: id,
    end: {
      outcome: "unsent",
      status: 503,
      stream: false,
      estimatedTokens,
      provider: null,
      receiptDetails: null,
      ...times,
    },
  };
}

/** A task, stored with its hold in one transaction. */
export interface TaskDraft {
  readonly id: string;
  readonly family: MediaFamily;
  /** The order as JSON. Stored sealed, and deleted once the task has ended. */
  readonly input: string;
  /** `TaskSettings` as JSON. Kept after the task has ended. */
  readonly settings: string;
  /** The URL to notify of its end. Stored sealed. */
  readonly callbackUrl: string | null;
  /** The receipt details of its call, as `writeReceiptDetails` encodes them; null once the task has ended. */
  readonly receiptDetails: string | null;
  /** The reply to its creator, stored for repeats if the hold has an idempotency key. */
  readonly reply: string;
}

/** A file that a task has made. */
export interface TaskOutput {
  readonly type: MediaFamily;
  readonly mimeType: string;
  readonly bytes: number;
}

export type FinalTaskStatus = "succeeded" | "failed" | "canceled";

/** The end of a task, stored with the end of its hold in one transaction. Only the first end counts. */
export interface TaskEnd {
  readonly status: FinalTaskStatus;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly outputs: readonly TaskOutput[];
}

const describeSealedTask = (taskId: string) => `task ${taskId}`;

/** Seals a text of a task, so that it opens for this task alone. */
export function sealTaskText(
  text: string,
  taskId: string,
  sealing: { key: Uint8Array; random(bytes: number): Uint8Array },
): string {
  return seal(new Secret(text), describeSealedTask(taskId), sealing);
}

/** Null for a text that was sealed with another secret. */
export function openTaskText(sealedText: string, taskId: string, key: Uint8Array): string | null {
  try {
    return unseal(sealedText, describeSealedTask(taskId), key).reveal();
  } catch (error) {
    if (error instanceof SealBrokenError) return null;
    throw error;
  }
}
