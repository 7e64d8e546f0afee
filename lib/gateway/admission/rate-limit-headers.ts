import { type RateLimitValues, rateLimitHeaderFields, type ToldLimit } from "@/lib/contract/rate-limit-table";
import { formatDuration } from "./format-duration";
import type { ProjectModelWindows } from "./project-model-windows";

type HeaderName = `x-ratelimit-${"limit" | "remaining" | "reset"}-${ToldLimit}`;

const { requests, tokens } = rateLimitHeaderFields;

/** The `x-ratelimit-*` headers of a reply: limit, remaining, and the time until nothing is used any more. */
export function rateLimitHeaders(
  limits: RateLimitValues,
  windows: ProjectModelWindows,
  nowMs: number,
): Record<HeaderName, string> {
  return {
    "x-ratelimit-limit-requests": String(limits[requests]),
    "x-ratelimit-limit-tokens": String(limits[tokens]),
    "x-ratelimit-remaining-requests": remaining(limits[requests], windows.used(requests, nowMs)),
    "x-ratelimit-remaining-tokens": remaining(limits[tokens], windows.used(tokens, nowMs)),
    "x-ratelimit-reset-requests": formatDuration(windows.msUntilEmpty(requests, nowMs)),
    "x-ratelimit-reset-tokens": formatDuration(windows.msUntilEmpty(tokens, nowMs)),
  };
}

function remaining(max: number, used: number): string {
  return String(Math.max(0, max - used));
}
