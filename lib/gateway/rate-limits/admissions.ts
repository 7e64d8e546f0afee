import type { CarriedMeasure, RateLimitField, RateLimitValues } from "@/lib/contract/calls/rate-limit-table";
import type { Nano } from "@/lib/money/amount";
import {
  type CacheLifetime,
  computeCharge,
  countAffordableOutputTokens,
  findHighestPrice,
  type PriceSnapshot,
  type TokenUsage,
} from "@/lib/money/charge";
import type { HoldDraft, TaskDraft } from "../ledger/funds";
import type { CheckFigures } from "../log/requests/receipt-details";
import { Refusal } from "../refusal";
import type { RateLimitStatus } from "./project-model-windows";

/** The project and model whose limits a call counts in. */
export interface LimitedPair {
  readonly projectId: string;
  readonly model: string;
  readonly limits: RateLimitValues;
}

/**
 * What admission needs to know about a call. Token counts are whole numbers; images, audio and other measures have
 * fields of their own.
 */
export interface AdmissionRequest extends LimitedPair, Readonly<Partial<Record<CarriedMeasure, number>>> {
  readonly keyId: string;
  readonly price: PriceSnapshot;
  /** The estimated prompt tokens. They are charged where the provider doesn't report usage. */
  readonly promptTokens: number;
  /** The estimate of a prompt that was counted finer since; absent where it is `promptTokens`. */
  readonly estimatedPromptTokens?: number;
  /**
   * The prompt tokens that count in the token limits, and the upper bound that is held for; absent where both equal
   * `promptTokens`.
   */
  readonly countedPromptTokens?: number;
  readonly maxPromptTokens?: number;
  /** No true count of the prompt is below this; absent where nothing is known. */
  readonly minPromptTokens?: number;
  /** Set where the prompt is text and nothing else, so that it can be counted finer. */
  readonly isTextAlone?: true | undefined;
  /** The model's context window, or the assumed one; absent where the call has no tokens beyond its estimate. */
  readonly contextTokens?: number;
  /** The prompt tokens of a whole batch, on a request that creates one. */
  readonly batchInputTokens?: number;
  /** The largest output of one choice, and its expected output; equal where the caller set `max_tokens`. */
  readonly maxOutputTokens: number;
  readonly expectedOutputTokens: number;
  /** Set where the caller sets no limit: where the largest output would take much of the balance, less is held for. */
  readonly isOpenEnded?: true;
  /** Set where no provider takes a limit of the output, so that the hold must cover all of it. */
  readonly holdsWholeOutput?: true;
  /** The longest that the body asks to cache a part of the prompt; absent where it doesn't. */
  readonly cacheWrite?: CacheLifetime | undefined;
  /** Set where the body asks for the provider's priority, whose rate `price` then has. */
  readonly isPriority?: true | undefined;
  /** The tools that the provider may run: how often at most, and how often where it doesn't say it. */
  readonly toolCalls?: Readonly<Record<string, { readonly max: number; readonly min: number }>> | undefined;
  /** How many of `promptTokens` are audio; absent where none are. */
  readonly audioTokens?: number;
  /** How many choices are generated; at least 1. */
  readonly choices: number;
  /**
   * What is priced by the unit, in millionths of the price's unit. It is charged where the provider doesn't report
   * usage.
   */
  readonly units?: number;
  /** The upper bound of the units, which is held for; absent where it equals `units`. */
  readonly maxUnits?: number;
}

/** A task's call, whose hold outlives it. */
export interface HeldCall {
  readonly requestId: string;
  readonly projectId: string;
  readonly amount: Nano;
}

/** An admitted call: the amount to hold, and what the call took of the limits. */
export interface Admission {
  readonly request: AdmissionRequest;
  readonly holdAmount: Nano;
  /**
   * The largest output of one choice that is held for: what the balance and the spend limits cover of
   * `request.maxOutputTokens`.
   */
  readonly maxOutputTokens: number;
  readonly estimatedTokens: number;
  readonly takenAtMs: number;
  /** The figures that the checks used. */
  readonly checkFigures: CheckFigures;
  /** The limits including this call; corrected once the call has ended. */
  readonly rateLimits: RateLimitStatus;
}

/** What would happen to a call now. A refused preview carries the refusal's figures. */
export interface AdmissionPreview
  extends Pick<Admission, "holdAmount" | "maxOutputTokens" | "estimatedTokens"> {
  readonly refusal: Refusal | null;
  /** The limits that the call would count in, before it does. */
  readonly limits: readonly MeasuredLimit[];
}

/** A limit, and what a call would take of it. */
interface MeasuredLimit {
  readonly field: RateLimitField;
  readonly max: number;
  readonly used: number;
  readonly requested: number;
}

/** What an admission is decided by. */
export type DecidedCall = Pick<Admission, "request" | "holdAmount" | "maxOutputTokens" | "estimatedTokens">;

/** A call to admit together with its hold. */
export interface Placement {
  draft(decided: DecidedCall, nowMs: number): HoldDraft;
  readonly task?: TaskDraft | undefined;
  /**
   * The same call with the limits and prices that others have changed.
   * @throws Refusal where its caller has lost access.
   */
  recheck(asked: AdmissionRequest): AdmissionRequest;
}

export interface Placed {
  readonly admission: Admission;
  readonly draft: HoldDraft;
}

/** Refuses a call at admission, with the limits as they were then. */
export class NotAdmitted extends Refusal {
  constructor(
    { status, type, code, message, details }: Refusal,
    readonly rateLimits: RateLimitStatus,
    /** The figures of the checks, up to the check that refused. */
    readonly checkFigures: CheckFigures,
  ) {
    super(status, type, code, message, details);
  }
}

/**
 * Admits calls by rate limits, spend limits and the known balance, all or nothing: a refused call takes nothing. Place
 * the hold of an admitted call at once (`admitAndHold`), since only the store decides about the balance. An
 * implementation that asks another process returns promises; a local one returns values.
 */
export interface Admissions {
  /** How many calls of this process are in flight. */
  readonly inFlight: number;
  /**
   * Cheap check to make before reading a body.
   * @throws Refusal 429 where this process has too many calls in flight.
   */
  refuseIfTooManyInFlight(): void;
  /**
   * Whether money is so short that the upper bound of a prompt would refuse calls at once with this one, though what
   * they will cost is there. Their prompts are then counted finer.
   */
  isTight(request: AdmissionRequest): boolean | Promise<boolean>;
  /**
   * @param recheck as a placement's.
   * @throws NotAdmitted 402 or 429. The balance is checked first: waiting for a limit would not help where it is too
   * low.
   */
  admit(request: AdmissionRequest, recheck?: Placement["recheck"]): Admission | Promise<Admission>;
  /**
   * Admits a call and places its hold in one step. Only there where one statement of the store decides about both; such
   * an admission has no `placeHold` of its own.
   * @throws Refusal as `admit`, and 409 or 503 as the store answers.
   */
  place?(request: AdmissionRequest, placement: Placement): Promise<Placed>;
  /** What `admit` would answer now, by the same rules. Takes and records nothing. */
  preview(request: AdmissionRequest): AdmissionPreview | Promise<AdmissionPreview>;
  /**
   * Ends a call whose charge is on disk, and corrects its tokens to what counts of its usage (`countTokens`).
   * Never rejects.
   */
  settle(admission: Admission, countedTokens: number, charged: Nano): void | Promise<void>;
  /**
   * Ends a call that costs nothing. It counts as one request if it was sent to a provider, and otherwise in no limit.
   * Never rejects.
   */
  release(admission: Admission, end: { readonly sent: boolean }): void | Promise<void>;
  /**
   * Ends a call whose hold stays open: it is no longer in flight, but still counts in the limits. The request id of a
   * task lets its end correct that.
   */
  leave(admission: Admission, taskRequestId?: string): void | Promise<void>;
  /** Counts a client that waits for its task as in flight, until the returned function is called. */
  countWaitingClient(): () => void;
  /** Records the charge of a hold that outlived its call. Never rejects. */
  settleHeld(held: HeldCall, charged: Nano): void | Promise<void>;
  /** Ends a hold that outlived its call and costs nothing, as `release` ends a call. Never rejects. */
  releaseHeld(held: HeldCall, end: { readonly sent: boolean }): void | Promise<void>;
  /** The 402 for an admitted call whose hold the store refused because other calls took the balance first. */
  notCovered(admission: Admission): Refusal;
  /** The present limits, for a call that is refused before admission. */
  readStatus(limited: LimitedPair): RateLimitStatus | Promise<RateLimitStatus>;
}

/** The output that is held for where a call without a limit would otherwise take much of the balance. */
export const MODEST_OUTPUT_TOKENS = 16_384;
/** So many calls without a limit must be covered for one of them to be held for its largest output. */
const CALLS_BESIDE = 50n;

/**
 * The output of one choice to hold for if an amount covers it. A call without a limit may fill the model's window, and
 * hardly any call does. So it is held for the whole window only if the amount covers many such calls.
 */
export function findOutputToHold(request: AdmissionRequest, maxCharge: Nano, amount: Nano): number {
  const { isOpenEnded, maxOutputTokens } = request;
  if (!isOpenEnded || maxOutputTokens <= MODEST_OUTPUT_TOKENS) return maxOutputTokens;
  return maxCharge * CALLS_BESIDE <= amount ? maxOutputTokens : MODEST_OUTPUT_TOKENS;
}

/** So many calls at once are expected. */
const CALLS_AT_ONCE = 256n;

/** Whether an amount wouldn't cover the upper bounds of so many prompts. */
export function isTightFor(request: AdmissionRequest, amount: Nano): boolean {
  return computeMaxCharge(request, 0) * CALLS_AT_ONCE > amount;
}

/** The largest possible charge of a request with this much output per choice. */
export function computeMaxCharge(request: AdmissionRequest, maxOutputTokens: number): Nano {
  const { choices, units, maxUnits = units } = request;
  const price = holdPrice(request);
  const promptTokens = findLargestPrompt(request);
  const completionTokens = maxOutputTokens * choices;
  const toolCalls = findMostToolCalls(request);
  return computeCharge({ promptTokens, completionTokens, units: maxUnits, toolCalls }, price);
}

function findMostToolCalls({ toolCalls, choices }: AdmissionRequest): TokenUsage["toolCalls"] {
  if (!toolCalls) return undefined;
  return Object.fromEntries(Object.entries(toolCalls).map(([name, { max }]) => [name, max * choices]));
}

/**
 * What the limits count of the tokens that a provider reports: at most the model's context window, or the prompt where
 * that may be larger, and the output that the call may have. So no provider that reports more stops a model for hours.
 */
export function countTokens(
  { request, maxOutputTokens, estimatedTokens }: Admission,
  { promptTokens, completionTokens }: TokenUsage,
): number {
  const maxPromptTokens = Math.max(request.contextTokens ?? 0, findLargestPrompt(request));
  const maxTokens = Math.max(estimatedTokens, maxPromptTokens + maxOutputTokens * request.choices);
  return Math.min(promptTokens + completionTokens, maxTokens);
}

/**
 * The charge for what can't be shortened: the units, or the prompt with one output token per choice where there is
 * output.
 */
export function computeMinCharge(request: AdmissionRequest): Nano {
  const { holdsWholeOutput, maxOutputTokens } = request;
  return computeMaxCharge(request, holdsWholeOutput ? maxOutputTokens : Math.min(1, maxOutputTokens));
}

/** The largest output of one choice that an amount covers; -1 where it doesn't cover what can't be shortened. */
export function computeCoveredOutput(request: AdmissionRequest, amount: Nano): number {
  const { choices, units, maxOutputTokens, holdsWholeOutput = false } = request;
  if (computeMaxCharge(request, maxOutputTokens) <= amount) return maxOutputTokens;
  if (units !== undefined || holdsWholeOutput) return -1;
  const affordable = countAffordableOutputTokens(findLargestPrompt(request), holdPrice(request), amount, {
    toolCalls: findMostToolCalls(request),
  });
  return Math.min(maxOutputTokens, Math.floor(affordable / choices));
}

/** Only the provider knows which tokens are audio or cached, so all are held for at the dearest price. */
function holdPrice(request: AdmissionRequest): PriceSnapshot {
  const { price, cacheWrite } = request;
  return findHighestPrice(price, { maxPromptTokens: findLargestPrompt(request), cacheWrite });
}

function findLargestPrompt({ maxPromptTokens, promptTokens }: AdmissionRequest): number {
  return maxPromptTokens ?? promptTokens;
}

/** The tokens of a call that count in the token limits: its prompt and its expected output. */
export function estimateTokens(request: AdmissionRequest, maxOutputTokens: number): number {
  const expected = Math.min(request.expectedOutputTokens, maxOutputTokens) * request.choices;
  return (request.countedPromptTokens ?? request.promptTokens) + expected;
}
