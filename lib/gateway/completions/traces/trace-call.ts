import type { RequestAttempt, RequestSettings } from "@/lib/contract/operations/receipt-parts";
import { requestedMaxTokens } from "../requests/chat-request";
import type { RequestFields } from "../requests/prepared-request";
import type { ProviderConnection } from "../upstream/provider-connection";

const MAX_ID_LENGTH = 100;

export function describeSettings(fields: RequestFields): RequestSettings {
  return { max_tokens: requestedMaxTokens(fields), temperature: fields.temperature ?? null };
}

/**
 * An attempt in the form of receipts. Times are on the clock of `performance.now()`.
 * @param endedAtMs null where it ended with its call.
 */
export function describeAttempt(
  { route, startedAtMs, reachedAtMs, sentAtMs, answeredAtMs, reply, failure }: ProviderConnection,
  callStartedAtMs: number,
  endedAtMs: number | null,
): RequestAttempt {
  const since = (ms: number | null) => (ms === null ? null : Math.round(ms - callStartedAtMs));
  return {
    provider: route.provider,
    model: route.model,
    started_ms: Math.round(startedAtMs - callStartedAtMs),
    reached_ms: since(reachedAtMs),
    sent_ms: since(sentAtMs),
    answered_ms: since(answeredAtMs),
    ended_ms: since(endedAtMs),
    status: reply?.status ?? null,
    failure: failure,
    provider_request_id:
      (reply?.header("x-request-id") ?? reply?.header("request-id") ?? null)?.slice(0, MAX_ID_LENGTH) ?? null,
  };
}
