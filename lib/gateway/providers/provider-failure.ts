import { SECOND_MS } from "@/lib/contract/durations";
import type { ErrorCode, ErrorStatus, ErrorType } from "@/lib/contract/errors";
import { readBareText, readEventData } from "../http/event-splitter";
import { parseBounded } from "../http/json";
import type { ServerReply } from "../http/outbound/server-reply";
import { Refusal, retryAfter } from "../refusal";
import {
  explainMisconfigured,
  MISCONFIGURED,
  type MisconfiguredStatus,
  toMisconfiguredStatus,
} from "./misconfigured";
import type { ProviderClient } from "./provider-client";
import { readProviderError } from "./read-provider-error";
import { type RetryAfter, readRetryAfter } from "./read-retry-after";

const SHOWN_CHARACTERS = 500;
/** What a provider at its limit is taken to ask for if it says nothing. */
const USUAL_REST: RetryAfter = { ms: SECOND_MS, isInMilliseconds: false };
/** The most that is read of an error's body. */
export const MAX_ERROR_BYTES = 64 * 1024;

/** A call that its provider failed. The cause is shown in the operator's log and to callers who may read providers. */
export class ProviderRefusal extends Refusal {
  override readonly cause: unknown;
  /** Null where its answer had begun: the call ends. */
  readonly why: FailureCause | null;
  /** The reply's status; null without a reply. */
  readonly upstreamStatus: number | null;
  /** How long the provider asked to be left alone, in milliseconds; null if it did not. */
  readonly restMs: number | null;
  /** What the provider said, which is not logged. */
  readonly words: string | undefined;

  constructor(
    status: ErrorStatus,
    message: string,
    {
      type = "service_error",
      code = "provider_error",
      cause,
      why = null,
      headers,
      upstreamStatus = null,
      after = null,
      providerCode,
      words,
    }: {
      type?: ErrorType;
      code?: ErrorCode;
      cause?: unknown;
      why?: FailureCause | null;
      headers?: Readonly<Record<string, string>>;
      upstreamStatus?: number | null;
      after?: RetryAfter | null;
      providerCode?: string | undefined;
      words?: string | undefined;
    } = {},
  ) {
    super(status, type, code, message, {
      ...((headers || after) && { headers: { ...headers, ...(after && toHeaders(after)) } }),
      ...(providerCode && { providerCode }),
    });
    this.cause = cause;
    this.why = why;
    this.upstreamStatus = upstreamStatus;
    this.restMs = after && after.ms;
    this.words = words;
  }
}

const toSeconds = ({ ms }: RetryAfter) => Math.ceil(ms / SECOND_MS);

function toHeaders(after: RetryAfter): Readonly<Record<string, string>> {
  return retryAfter(toSeconds(after), after.isInMilliseconds ? after.ms : undefined);
}

/** 502: the provider is unreachable, or its reply is unreadable. */
export function providerFailed(
  cause: unknown,
  why: FailureCause | null = null,
  { upstreamStatus = null, after = null, ...said }: Partial<ReplyFacts> & ProviderSaid = {},
): ProviderRefusal {
  const again = after ? `try again in ${toSeconds(after)} s` : "try again";
  const message = `The model's provider failed to answer. You were not charged for it; ${again}.`;
  return new ProviderRefusal(502, message, { cause, why, upstreamStatus, after, ...said });
}

/** What a provider said of its failure. */
interface ProviderSaid {
  readonly words?: string | undefined;
  readonly providerCode?: string | undefined;
}

/** Facts of a failed reply besides its reason. */
interface ReplyFacts {
  readonly upstreamStatus: number | null;
  readonly after: RetryAfter | null;
}

/**
 * 502: the provider rejects our key, doesn't know the model, or our account there is empty. Repeating the call can't
 * succeed, but another route's provider may.
 */
function providerMisconfigured(
  upstreamStatus: MisconfiguredStatus,
  providerCode: string | undefined,
): ProviderRefusal {
  return new ProviderRefusal(502, explainMisconfigured(upstreamStatus), {
    code: MISCONFIGURED,
    cause: `The provider answered ${upstreamStatus}`,
    why: upstreamStatus === 402 || upstreamStatus === 429 ? "empty_account" : "misconfigured",
    headers: { "x-should-retry": "false" },
    upstreamStatus,
    providerCode,
  });
}

/** 502: the provider answered to the end, but in no form that can be read. */
export function providerAnsweredOddly(cause: unknown, said: ProviderSaid = {}): ProviderRefusal {
  return providerFailed(cause, "odd_answer", said);
}

/** 502: the reply broke off, or its remainder is unreadable: an odd answer. */
export function providerBrokeOff(
  cause: unknown,
  {
    isCharged = true,
    why = null,
    ...said
  }: ProviderSaid & { readonly isCharged?: boolean; readonly why?: "odd_answer" | null } = {},
): Refusal {
  const message = `The model's provider broke off. ${describeCharge(isCharged)}; try again.`;
  return new ProviderRefusal(502, message, { cause, why, ...said });
}

/** A failure after the first byte. @param isCharged whether the output so far costs anything. */
export function afterStreamBegan(failure: Refusal, isCharged: boolean): Refusal {
  const { cause, code, details } = failure;
  const { words, why } = failure instanceof ProviderRefusal ? failure : {};
  if (failure.status === 502) {
    const oddness = why === "odd_answer" ? why : null;
    return providerBrokeOff(cause, { words, providerCode: details.providerCode, isCharged, why: oddness });
  }
  return failure instanceof ProviderRefusal && failure.status === 400
    ? brokeOffWithCode(code, cause, { words, isCharged })
    : failure;
}

/** A provider's error within its stream, with its code: 400 where clients branch on the code, otherwise 502. */
export function readEventRefusal(
  event: Buffer,
  { conceal }: Pick<ProviderClient, "conceal">,
  cause = "It sent an error within its stream",
): Refusal {
  const data = event.byteLength > MAX_ERROR_BYTES ? "" : readEventData(event) || readBareText(event);
  const { message: words, code: providerCode } = readProviderError(data, conceal);
  const code = branchedOn.find((branchedCode) => branchedCode === providerCode);
  if (code) return brokeOffWithCode(code, cause, { words });
  return providerBrokeOff(cause, { words, providerCode, why: findOddness(data, providerCode) });
}

/** The error in a reply with status 200, with its code, as `readEventRefusal`. It costs nothing. */
export function readAnswerRefusal(
  body: string,
  { conceal }: Pick<ProviderClient, "conceal">,
  cause: unknown,
): Refusal {
  const { message: words, code: providerCode } = readProviderError(body, conceal);
  const code = branchedOn.find((branchedCode) => branchedCode === providerCode);
  if (code) return brokeOffWithCode(code, cause, { words, isCharged: false });
  return providerFailed(cause, findOddness(body, providerCode), { words, providerCode });
}

const callersFaults = /^(invalid|bad)_?request/i;

/** Null for an answer in which the provider reports an error of its own; any other is odd. */
function findOddness(text: string, providerCode: string | undefined): "odd_answer" | null {
  if (providerCode && callersFaults.test(providerCode)) return "odd_answer";
  try {
    const { error, errors, type, response } = Object(parseBounded(text));
    return error || errors || type === "error" || response?.error ? null : "odd_answer";
  } catch {
    return "odd_answer";
  }
}

function brokeOffWithCode(
  code: ErrorCode,
  cause: unknown,
  { words, isCharged = true }: { readonly words?: string | undefined; readonly isCharged?: boolean } = {},
): ProviderRefusal {
  const message = `The model's provider broke off: ${code}. ${describeCharge(isCharged)}.`;
  return new ProviderRefusal(400, message, {
    type: "invalid_request_error",
    code,
    cause,
    words,
    providerCode: code,
  });
}

function describeCharge(isCharged: boolean): string {
  return isCharged ? "You pay only for what was generated until then" : "You were not charged for it";
}

/** 503: the provider has its maximum number of our calls. Nothing was sent. */
export function providerSaturated(): Refusal {
  const message = "The model's provider has as many calls as it may have at a time. Try again in a second.";
  return new ProviderRefusal(503, message, { code: "provider_saturated", headers: retryAfter(1) });
}

/** 504: the provider accepted no connection in time. */
export function providerUnreachable(cause: unknown, why: FailureCause): Refusal {
  const message = "The model's provider can't be reached. You were not charged; try again.";
  return new ProviderRefusal(504, message, { code: "provider_timeout", cause, why });
}

/** 504: the provider was too slow, and may have generated something. */
export function providerTooSlow(
  cause: unknown,
  why: FailureCause,
  { upstreamStatus = null, after = null }: Partial<ReplyFacts> = {},
): Refusal {
  const message = "The model's provider was too slow. Try again, or ask for less output.";
  return new ProviderRefusal(504, message, { code: "provider_timeout", cause, why, upstreamStatus, after });
}

/** The status by which a provider refused the gateway, whatever the call; null for other failures. */
export function findMisconfiguredStatus(failure: Refusal): MisconfiguredStatus | null {
  if (!(failure instanceof ProviderRefusal) || failure.code !== MISCONFIGURED) return null;
  return toMisconfiguredStatus(failure.upstreamStatus, failure.details.providerCode);
}

/** Provider codes that clients branch on: they are copied to `error.code`. */
const branchedOn: readonly ErrorCode[] = ["context_length_exceeded", "content_filter"];

/**
 * Translates a provider's error reply. Faults of the request are passed on, since the caller can correct them, and a
 * 429 of its limits, so that clients slow down. Everything else becomes a 502 or a 504; one that rejects our key, our
 * account or the model's name is not retried. When to try again is passed on with each of them.
 */
export function readReplyRefusal(
  reply: Pick<ServerReply, "status" | "header">,
  body: string,
  nowMs: number,
  { conceal }: Pick<ProviderClient, "conceal"> = {},
): Refusal {
  const { status } = reply;
  const { message, param, code: providerCode, isFlagged: hasFlag } = readProviderError(body, conceal);
  const isFlaggedRequest = status === 403 && hasFlag;
  const misconfigured = isFlaggedRequest ? null : toMisconfiguredStatus(status, providerCode);
  if (status === 429 && !misconfigured) {
    const after = readRetryAfter(reply, body, nowMs) ?? USUAL_REST;
    const words = `The model's provider is at its limit. Try again in ${toSeconds(after)} s.`;
    return new ProviderRefusal(429, words, {
      type: "rate_limit_error",
      why: "rate_limited",
      after,
      providerCode,
    });
  }
  const facts = () => ({ upstreamStatus: status, after: readRetryAfter(reply, body, nowMs) });
  if (status === 408 || status === 504)
    return providerTooSlow(`The provider answered ${status}`, "timed_out", facts());
  if (misconfigured) return providerMisconfigured(misconfigured, providerCode);
  if (!isFlaggedRequest && status !== 400 && status !== 413 && status !== 422) {
    const why = status >= 500 ? "server_error" : status >= 400 ? "refused" : null;
    return providerFailed(`The provider answered ${status}`, why, facts());
  }
  const words = message ?? quoteJson(body, conceal) ?? `status ${status}, without a reason`;
  const branchedCode = branchedOn.find((known) => known === providerCode);
  const code = isFlaggedRequest ? "content_filter" : (branchedCode ?? "provider_error");
  return new Refusal(400, "invalid_request_error", code, `The provider refused: ${words}`, {
    ...(param && { param }),
    ...(providerCode && { providerCode }),
  });
}

/** An error in JSON that has no field for words is quoted. A key is found in it without the provider's escapes. */
function quoteJson(body: string, conceal: ProviderClient["conceal"]): string | null {
  const text = body.trim();
  if (!/^[{[].*\w/s.test(text)) return null;
  const quoted = withoutEscapes(text);
  return (conceal?.(quoted) ?? quoted).slice(0, SHOWN_CHARACTERS);
}

function withoutEscapes(json: string): string {
  try {
    return JSON.stringify(parseBounded(json));
  } catch {
    return json;
  }
}

export function describeReason(failure: unknown): string {
  return failure instanceof Refusal ? String(failure.cause ?? failure.message) : String(failure);
}

/** Why a provider failed a call, by which it is decided where the call goes on. */
export type FailureCause =
  /** Its server took no connection: nothing was sent. */
  | "no_connection"
  /** It closed the connection at once, as a server does that had closed an idle one. */
  | "stale_connection"
  /** It closed the connection later, before its answer. */
  | "lost_connection"
  /** It was silent until a time limit. */
  | "no_first_byte"
  | "rate_limited"
  /** 408 and 504: it says itself that it was too slow. */
  | "timed_out"
  /** Any other status from 500 on. */
  | "server_error"
  /** 401, 403 and 404: our key, the address or the model's name is wrong. */
  | "misconfigured"
  | "empty_account"
  /** Another status below 500 that isn't the caller's fault, such as 409. */
  | "refused"
  /** The prompt is longer than its window. */
  | "context_too_long"
  /** It answered to the end, but in no form that can be read. Another caller may get a usual answer: the call ends. */
  | "odd_answer";
