import { rateLimitHeaders, type ToldLimits } from "../admission/rate-limit-headers";
import type { Clock } from "../effects";

/** What every reply says once its model is known: its request, and its limits. */
export function completionHeaders(requestId: string, told: ToldLimits, clock: Clock): Record<string, string> {
  const headers: Record<string, string> = rateLimitHeaders(told, clock.monotonicMs());
  headers["x-request-id"] = requestId;
  return headers;
}
