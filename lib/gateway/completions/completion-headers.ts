import { rateLimitHeaders, type ToldLimits } from "../admission/rate-limit-headers";
import type { Clock } from "../effects";

/** The headers of every reply whose model is known: the request's id and its limits. */
export function completionHeaders(requestId: string, told: ToldLimits, clock: Clock): Record<string, string> {
  const headers: Record<string, string> = rateLimitHeaders(told, clock.monotonicMs());
  headers["x-request-id"] = requestId;
  return headers;
}
