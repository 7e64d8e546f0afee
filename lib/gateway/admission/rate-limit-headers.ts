import type { RateLimitValues } from "@/lib/contract/operations/rate-limits";
import { formatDuration } from "./format-duration";
import type { ProjectModelWindows } from "./project-model-windows";

/** The `x-ratelimit-*` headers of a reply: limit, remaining, and the time until nothing is used any more. */
export function rateLimitHeaders(
  limits: RateLimitValues,
  windows: ProjectModelWindows,
  nowMs: number,
): Record<string, string> {
  const { max_requests_per_1_minute: requests, max_tokens_per_1_minute: tokens } = limits;
  const usedRequests = windows.used("max_requests_per_1_minute", nowMs);
  const usedTokens = windows.used("max_tokens_per_1_minute", nowMs);
  return {
    "x-ratelimit-limit-requests": String(requests),
    "x-ratelimit-limit-tokens": String(tokens),
    "x-ratelimit-remaining-requests": String(Math.max(0, requests - usedRequests)),
    "x-ratelimit-remaining-tokens": String(Math.max(0, tokens - usedTokens)),
    "x-ratelimit-reset-requests": formatDuration(windows.msUntilEmpty("max_requests_per_1_minute", nowMs)),
    "x-ratelimit-reset-tokens": formatDuration(windows.msUntilEmpty("max_tokens_per_1_minute", nowMs)),
  };
}
