import type { CarriedMeasure, RateLimitValues } from "@/lib/contract/rate-limit-table";
import type { Nano } from "@/lib/money/amount";
import type { PriceSnapshot } from "@/lib/money/charge";
import { Refusal } from "../refusal";
import type { RateLimitStatus } from "./rate-limit-headers";

/** Whose limits a call counts in. */
export interface LimitedBy {
  readonly projectId: string;
  readonly model: string;
  readonly limits: RateLimitValues;
}

/** What a call asks to be let through with. Token counts are whole numbers. What its messages carry stands by its measure. */
export interface AdmissionRequest extends LimitedBy, Readonly<Partial<Record<CarriedMeasure, number>>> {
  readonly keyId: string;
  readonly price: PriceSnapshot;
  /** What the prompt is estimated at: charged where the provider doesn't say how much it was. */
  readonly promptTokens: number;
  /** What of it counts in the limits, and the most it can be, which is held; absent where both are `promptTokens`. */
  readonly countedPromptTokens?: number;
  readonly mostPromptTokens?: number;
  /** The prompts' tokens of a whole batch, where this hands one in. */
  readonly batchInputTokens?: number;
  /** The most output of one choice, and what it is expected to be; the two are equal where the caller set `max_tokens`. */
  readonly maxOutputTokens: number;
  readonly expectedOutputTokens: number;
  /** How many choices are generated; at least 1. */
  readonly choices: number;
}

/** A call that was let through: what it is to hold, and what it took of the limits. */
export interface Admission {
  readonly request: AdmissionRequest;
  readonly holdAmount: Nano;
  /** The most output of one choice after the balance and the spend limits had their say; at most `request.maxOutputTokens`. */
  readonly maxOutputTokens: number;
  readonly estimatedTokens: number;
  readonly takenAtMs: number;
  /** The limits with this call counted; corrected once the call is over. */
  readonly rateLimits: RateLimitStatus;
}

/** A call that was not let through, and its limits as they were then. */
export class NotAdmitted extends Refusal {
  constructor(
    { status, type, code, message, details }: Refusal,
    readonly rateLimits: RateLimitStatus,
  ) {
    super(status, type, code, message, details);
  }
}

/**
 * Lets calls through by their limits, the spend limits and what the balance is known to have, all or nothing: one that is
 * refused takes nothing. What is let through is to be held at once (`openHold`): the store has the last word on the balance.
 * A form that has to ask another process answers with promises; one that has the answer gives it in the same tick.
 */
export interface Admissions {
  /** How many calls of this process were let through and are not over. */
  readonly inFlight: number;
  /** @throws Refusal 429 where this process or the key has as many calls in flight as it may. Costs next to nothing. */
  refuseCrowd(keyId: string): void;
  /** @throws NotAdmitted 402 or 429. The balance comes first: where it is too low, waiting for a limit would not help. */
  admit(request: AdmissionRequest): Admission | Promise<Admission>;
  /** Ends a call whose charge is on disk. Tokens are corrected to what was really used. Never rejects. */
  settle(admission: Admission, tokens: number, charged: Nano): void | Promise<void>;
  /** Ends a call that costs nothing. One that never left the gateway counts in no limit. Never rejects. */
  release(admission: Admission, end: { readonly sent: boolean }): void | Promise<void>;
  /** 402 for what was let through and the store doesn't cover: others were quicker. */
  notCovered(admission: Admission): Refusal;
  /** The limits as they are, for a call that is refused before it asks to be let through. */
  look(limited: LimitedBy): RateLimitStatus | Promise<RateLimitStatus>;
}
