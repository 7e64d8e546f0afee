import type { FixedLimitField, HeaderLimit } from "@/lib/contract/calls/rate-limit-table";
import type { ProjectModelWindows } from "./project-model-windows";

/** One limit at one moment. */
export interface HeaderLimitStatus {
  readonly max: number;
  readonly used: number;
  /** When its use falls to zero, on the process's monotonic clock. */
  readonly emptyAtMs: number;
}

/** The limits that every reply reports in its headers. */
export type RateLimitStatus = Readonly<Record<HeaderLimit, HeaderLimitStatus>>;

/** @param clock the windows' time, and its origin on the process's monotonic clock. */
export function describeUse(
  windows: Pick<ProjectModelWindows, "used" | "msUntilEmpty">,
  field: FixedLimitField,
  max: number,
  { nowMs, originMs }: { readonly nowMs: number; readonly originMs: number },
): HeaderLimitStatus {
  const emptyAtMs = nowMs - originMs + windows.msUntilEmpty(field, nowMs);
  return { max, used: windows.used(field, nowMs), emptyAtMs };
}

type HeaderName = `x-ratelimit-${"limit" | "remaining" | "reset"}-${HeaderLimit}`;

/**
 * The `x-ratelimit-*` headers of a reply: limit, remaining, and the time until the use falls to zero.
 * @param nowMs on the monotonic clock.
 */
export function rateLimitHeaders(
  { requests, tokens }: RateLimitStatus,
  nowMs: number,
): Record<HeaderName, string> {
  return {
    "x-ratelimit-limit-requests": String(requests.max),
    "x-ratelimit-limit-tokens": String(tokens.max),
    "x-ratelimit-remaining-requests": computeRemaining(requests),
    "x-ratelimit-remaining-tokens": computeRemaining(tokens),
    "x-ratelimit-reset-requests": reset(requests, nowMs),
    "x-ratelimit-reset-tokens": reset(tokens, nowMs),
  };
}

function computeRemaining({ max, used }: HeaderLimitStatus): string {
  return String(Math.max(0, max - used));
}

function reset({ emptyAtMs }: HeaderLimitStatus, nowMs: number): string {
  return formatDuration(Math.max(0, emptyAtMs - nowMs));
}

/**
 * A duration in the format of OpenAI's `x-ratelimit-reset-*`: `12ms`, `1s`, `6m0s`, `1h0m0s`. Durations above one
 * second are rounded up to whole seconds.
 */
export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${Math.ceil(ms)}ms`;
  const total = Math.ceil(ms / 1_000);
  const seconds = total % 60;
  if (total < 60) return `${seconds}s`;
  const minutes = Math.floor(total / 60);
  return minutes < 60 ? `${minutes}m${seconds}s` : `${Math.floor(minutes / 60)}h${minutes % 60}m${seconds}s`;
}
