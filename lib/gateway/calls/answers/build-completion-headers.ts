import type { ModelRoute } from "@/lib/contract/operations/models/models";
import type { Clock } from "../../effects";
import { type RateLimitStatus, rateLimitHeaders } from "../../rate-limits/rate-limit-headers";

/** The headers of every reply once the model is known: the request's id and its limits. */
export function buildCompletionHeaders(
  requestId: string,
  rateLimits: RateLimitStatus,
  clock: Clock,
): Record<string, string> {
  const headers: Record<string, string> = rateLimitHeaders(rateLimits, clock.monotonicMs());
  headers["x-request-id"] = requestId;
  return headers;
}

/** The provider and its name of the model, such as `openai/gpt-5-mini`; characters beyond ASCII are encoded. */
export function formatRoute({ provider, model }: ModelRoute): string {
  const route = Buffer.from(`${provider}/${model}`).toString();
  return route.replaceAll(/[^!-$&-~]+/g, encodeURIComponent);
}
