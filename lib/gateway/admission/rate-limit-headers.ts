import type { FixedLimitField, HeaderLimit } from "@/lib/contract/rate-limit-table";
import { formatDuration } from "./format-duration";
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
