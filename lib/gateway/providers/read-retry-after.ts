import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "@/lib/contract/durations";
import type { ServerReply } from "../http/outbound/server-reply";

/** Nobody waits for longer, whatever a provider writes. */
const MAX_WAIT_MS = DAY_MS;

/** When a provider takes the next call. */
export interface RetryAfter {
  /** From the reply on, in milliseconds. */
  readonly ms: number;
  /** Whether the provider wrote `retry-after-ms`, as clients then read it too. */
  readonly isInMilliseconds: boolean;
}

/** Headers of limits: when each is whole again, and what is left of it. */
const limitHeaders: readonly (readonly [reset: string, remaining: string])[] = [
  ["x-ratelimit-reset-requests", "x-ratelimit-remaining-requests"],
  ["x-ratelimit-reset-tokens", "x-ratelimit-remaining-tokens"],
  ["anthropic-ratelimit-requests-reset", "anthropic-ratelimit-requests-remaining"],
  ["anthropic-ratelimit-tokens-reset", "anthropic-ratelimit-tokens-remaining"],
  ["anthropic-ratelimit-input-tokens-reset", "anthropic-ratelimit-input-tokens-remaining"],
  ["anthropic-ratelimit-output-tokens-reset", "anthropic-ratelimit-output-tokens-remaining"],
  ["x-ratelimit-reset", "x-ratelimit-remaining"],
  ["ratelimit-reset", "ratelimit-remaining"],
];

/** Google's `RetryInfo`, and the names that other servers have for it, at whatever depth of the body. */
const BODY_DELAY = /"(?:retryDelay|retry_delay|retry_after(?:_seconds)?)"\s*:\s*"?(\d+(?:\.\d+)?)s?[",}\s]/;

/**
 * What a reply says about the next try; null if it says nothing. Dates are read against the reply's own `date`, since
 * the provider's clock may differ from ours.
 */
export function readRetryAfter(
  reply: Pick<ServerReply, "header">,
  body: string,
  nowMs: number,
): RetryAfter | null {
  const milliseconds = toNumber(reply.header("retry-after-ms"));
  if (milliseconds !== null) return { ms: bound(milliseconds), isInMilliseconds: true };
  const repliedAtMs = readDate(reply.header("date") ?? "") ?? nowMs;
  const ms =
    readWait(reply.header("retry-after"), repliedAtMs) ??
    readBodyDelay(body) ??
    readResets(reply, repliedAtMs);
  return ms === null ? null : { ms: bound(ms), isInMilliseconds: false };
}

const bound = (ms: number) => Math.min(Math.max(ms, 0), MAX_WAIT_MS);

function readBodyDelay(body: string): number | null {
  const seconds = toNumber(BODY_DELAY.exec(body)?.[1] ?? null);
  return seconds === null ? null : seconds * SECOND_MS;
}

/** The reset of the limits that are used up; of all if none is, the first. */
function readResets(reply: Pick<ServerReply, "header">, repliedAtMs: number): number | null {
  const all: number[] = [];
  const usedUp: number[] = [];
  for (const [reset, remaining] of limitHeaders) {
    const wait = readWait(reply.header(reset), repliedAtMs);
    if (wait === null) continue;
    all.push(wait);
    if (toNumber(reply.header(remaining)) === 0) usedUp.push(wait);
  }
  if (usedUp.length > 0) return Math.max(...usedUp);
  return all.length > 0 ? Math.min(...all) : null;
}

/** Numbers from here on are Unix times: of seconds, and of milliseconds. */
const FIRST_UNIX_SECOND = 1e9;
const FIRST_UNIX_MS = 1e12;

/** A wait in milliseconds: a number of seconds, a Unix time, a length such as `6m0.5s`, or a date. */
function readWait(text: string | null, repliedAtMs: number): number | null {
  if (text === null) return null;
  const number = toNumber(text);
  if (number !== null) {
    if (number >= FIRST_UNIX_MS) return number - repliedAtMs;
    return number >= FIRST_UNIX_SECOND ? number * SECOND_MS - repliedAtMs : number * SECOND_MS;
  }
  const length = readLength(text);
  if (length !== null) return length;
  const date = readDate(text);
  return date === null ? null : date - repliedAtMs;
}

const units: Readonly<Record<string, number>> = { ms: 1, s: SECOND_MS, m: MINUTE_MS, h: HOUR_MS, d: DAY_MS };

function readLength(text: string): number | null {
  if (!/^(?:\d+(?:\.\d+)?(?:ms|[smhd]))+$/.test(text)) return null;
  const parts = text.matchAll(/(\d+(?:\.\d+)?)(ms|[smhd])/g);
  return [...parts].reduce((sum, [, count, unit = ""]) => sum + Number(count) * (units[unit] ?? 0), 0);
}

/** An HTTP date in any of its forms, which is always in GMT (RFC 9110, 5.6.7), or one of RFC 3339. */
function readDate(text: string): number | null {
  if (!/\d:\d/.test(text)) return null;
  const zoned = /(?:GMT|UTC|Z|[+-]\d\d:?\d\d)\s*$/i.test(text) ? text : `${text} GMT`;
  const ms = Date.parse(zoned);
  return Number.isNaN(ms) ? null : ms;
}

function toNumber(text: string | null): number | null {
  return text !== null && /^\s*\d{1,15}(?:\.\d*)?\s*$/.test(text) ? Number(text) : null;
}
