import type { RefusalFacts } from "@/lib/contract/errors";
import type { RequestOutcome } from "@/lib/contract/operations/calls/requests";
import type { Nano } from "@/lib/money/amount";
import type { ReceiptDetails } from "./receipt-details";

/** A recorded call. Unknown fields are null. */
export interface RequestRecord {
  readonly id: string;
  readonly atMs: number;
  readonly projectId: string;
  /** The project's present name; null where it is unknown. */
  readonly projectName: string | null;
  readonly keyId: string;
  readonly keyName: string | null;
  readonly model: string;
  /** The provider that answered, or the last one that was tried. */
  readonly provider: string | null;
  readonly stream: boolean | null;
  readonly outcome: RequestOutcome;
  readonly status: number | null;
  readonly refusedBy: string | null;
  readonly promptTokens: number | null;
  readonly completionTokens: number | null;
  /** The part of the prompt's tokens that the provider read from its cache. */
  readonly cachedTokens: number | null;
  /** What was charged by the unit, in millionths; null for a call that was charged by tokens. */
  readonly units: number | null;
  readonly unit: string | null;
  readonly estimatedTokens: number | null;
  readonly amount: Nano | null;
  readonly firstByteMs: number | null;
  readonly durationMs: number | null;
  /** The batch whose line it is. */
  readonly batchId: string | null;
  /** The figures of the check that refused it; empty if it wasn't refused or they weren't recorded. */
  readonly facts: RefusalFacts;
}

/** Which calls to list. An absent field filters nothing. */
export interface RequestFilter {
  /** The projects whose calls to list; null for all. */
  readonly projectIds: readonly string[] | null;
  /** Inclusive start and exclusive end. Calls are ordered by their ids, which are made when a call arrives. */
  readonly startMs?: number | undefined;
  readonly endMs?: number | undefined;
  readonly model?: string | undefined;
  readonly provider?: string | undefined;
  /** Keys, and members who called from the console. */
  readonly keyIds?: readonly string[] | undefined;
  readonly outcome?: RequestOutcome | undefined;
  readonly refusedBy?: string | undefined;
  readonly status?: number | undefined;
  readonly minAmount?: Nano | undefined;
  readonly minDurationMs?: number | undefined;
  readonly requestId?: string | undefined;
  readonly batchId?: string | undefined;
}

/** Refusals of one minute that were counted but not stored individually. */
export interface UnlistedRefusals {
  readonly minuteMs: number;
  readonly refusals: number;
}

/** The key or member that made a call. */
export interface RequestKey {
  readonly kind: "project_api_key" | "service_account_key" | "admin_api_key" | "user";
  readonly name: string;
  readonly lastFour: string | null;
  readonly owner: string | null;
  readonly isActive: boolean;
}

export interface RequestDetails {
  readonly request: RequestRecord;
  /** Null without a hold. */
  readonly held: Nano | null;
  readonly receiptDetails: ReceiptDetails;
  readonly key: RequestKey | null;
  /** The task that it created; null for a call that was answered at once. */
  readonly taskId: string | null;
}

/** Unix milliseconds; `widthMs` is a whole number of minutes, and from an hour on of hours. */
export interface CountedSpan {
  readonly fromMs: number;
  readonly toMs: number;
  readonly widthMs: number;
}

export interface RequestCount {
  readonly startMs: number;
  readonly outcome: RequestOutcome;
  readonly calls: number;
  readonly amount: Nano;
}

/** Whether a member made a call as another key. */
export async function isRunBy(
  requests: { find(id: string): Promise<RequestDetails | null> },
  requestId: string,
  callerId: string,
): Promise<boolean> {
  const request = await requests.find(requestId);
  return request !== null && findRunBy(request) === callerId;
}

/**
 * The id of the member or admin key that made a call as another key; null for a call that was made with its own key.
 */
export function findRunBy({ receiptDetails }: Pick<RequestDetails, "receiptDetails">): string | null {
  return receiptDetails.client?.run_by?.id ?? null;
}
