import type { CarriedMeasure, RateLimitField, RateLimitValues } from "@/lib/contract/rate-limit-table";
import type { Nano } from "@/lib/money/amount";
import type { PriceSnapshot } from "@/lib/money/charge";
import { Refusal } from "../refusal";
import type { SeenByChecks } from "../requests/call-trace";
import type { RateLimitStatus } from "./rate-limit-headers";

/** Whose limits a call counts in. */
export interface LimitedBy {
  readonly projectId: string;
  readonly model: string;
  readonly limits: RateLimitValues;
}

/** What admission needs to know of a call. Token counts are whole numbers; images, audio and the like stand under their measure. */
export interface AdmissionRequest extends LimitedBy, Readonly<Partial<Record<CarriedMeasure, number>>> {
  readonly keyId: string;
  readonly price: PriceSnapshot;
  /** What the prompt is estimated at: charged where the provider doesn't say how much it was. */
  readonly promptTokens: number;
  /** What counts in the token limits, and the most the prompt can be, which is held; absent where both equal `promptTokens`. */
  readonly countedPromptTokens?: number;
  readonly mostPromptTokens?: number;
  /** The prompt tokens of a whole batch, for a request that creates one. */
  readonly batchInputTokens?: number;
  /** The most output of one choice, and what it is expected to be; the two are equal where the caller set `max_tokens`. */
  readonly maxOutputTokens: number;
  readonly expectedOutputTokens: number;
  /** How many choices are generated; at least 1. */
  readonly choices: number;
  /** What is made besides tokens, in millionths of the price's unit: all of it is held. */
  readonly units?: number;
}

/** A call that was admitted: the amount to hold, and what it took of the limits. */
export interface Admission {
  readonly request: AdmissionRequest;
  readonly holdAmount: Nano;
  /** The most output of one choice that the balance and the spend limits cover; at most `request.maxOutputTokens`. */
  readonly maxOutputTokens: number;
  readonly estimatedTokens: number;
  readonly takenAtMs: number;
  /** What the checks saw before they let it through. */
  readonly seen: SeenByChecks;
  /** The limits with this call counted; corrected once the call is over. */
  readonly rateLimits: RateLimitStatus;
}

/** What would become of a call now. A refused one has the figures that it asks for. */
export interface AdmissionPreview
  extends Pick<Admission, "holdAmount" | "maxOutputTokens" | "estimatedTokens"> {
  readonly refusal: Refusal | null;
  /** The limits that it would count in, without it. */
  readonly limits: readonly MeasuredLimit[];
}

/** A limit, and what a call would take of it. */
export interface MeasuredLimit {
  readonly field: RateLimitField;
  readonly max: number;
  readonly used: number;
  readonly requested: number;
}

/** A call that was not admitted, and its limits at that moment. */
export class NotAdmitted extends Refusal {
  constructor(
    { status, type, code, message, details }: Refusal,
    readonly rateLimits: RateLimitStatus,
    /** What the checks saw up to the one that refused. */
    readonly seen: SeenByChecks,
  ) {
    super(status, type, code, message, details);
  }
}

/**
 * Admits calls by rate limits, spend limits and the known balance, all or nothing: a call that is
 * refused takes nothing. An admitted call must be held at once (`admitAndHold`): the store decides about the balance.
 * An implementation that asks another process returns promises; one that knows the answer returns it directly.
 */
export interface Admissions {
  /** How many calls of this process are in flight. */
  readonly inFlight: number;
  /** @throws Refusal 429 where this process or the key has as many calls in flight as it may. Costs next to nothing. */
  refuseCrowd(keyId: string): void;
  /** @throws NotAdmitted 402 or 429. The balance comes first: where it is too low, waiting for a limit would not help. */
  admit(request: AdmissionRequest): Admission | Promise<Admission>;
  /** What `admit` would answer now, by the same rules. Takes nothing and notes nothing. */
  preview(request: AdmissionRequest): AdmissionPreview | Promise<AdmissionPreview>;
  /** Ends a call whose charge is on disk. Tokens are corrected to what was really used. Never rejects. */
  settle(admission: Admission, tokens: number, charged: Nano): void | Promise<void>;
  /** Ends a call that costs nothing. One that never left the gateway counts in no limit. Never rejects. */
  release(admission: Admission, end: { readonly sent: boolean }): void | Promise<void>;
  /** Ends a call whose hold stays open, as a task's does: it is in flight no more. What it took of the limits stays taken. */
  leave(admission: Admission): void | Promise<void>;
  /** Follows the end of a hold that outlived its call. Never rejects. */
  settleHeld(
    held: { readonly projectId: string; readonly amount: Nano },
    charged: Nano,
  ): void | Promise<void>;
  /** 402 for a call that was admitted but that the store does not cover, because others were quicker. */
  notCovered(admission: Admission): Refusal;
  /** The limits as they are, for a call that is refused before admission. */
  look(limited: LimitedBy): RateLimitStatus | Promise<RateLimitStatus>;
}
