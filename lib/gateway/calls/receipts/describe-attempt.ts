import type { RequestAttempt, RequestSettings } from "@/lib/contract/operations/calls/receipt-parts";
import type { ProviderConnection } from "../../providers/provider-connection";
import { readMaxTokens } from "../requests/chat-request";
import type { RequestFields } from "../requests/prepared-request";
import type { OutputLimit } from "../requests/upstream-request";

const MAX_ID_LENGTH = 100;

/** @param limit of an admitted call; null where none was sent. */
export function describeSettings(
  fields: RequestFields,
  leftOut: readonly string[] = [],
  limit: OutputLimit | null = null,
): RequestSettings {
  const lowered_by = limit?.loweredBy ?? null;
  const { savedPrompt } = fields;
  return {
    max_tokens: readMaxTokens(fields),
    temperature: fields.temperature ?? null,
    left_out: leftOut.length > 0 ? [...leftOut] : null,
    lowered_to: lowered_by && (limit?.sent ?? null),
    lowered_by,
    prompt: savedPrompt ? { id: savedPrompt.id, number: Number(savedPrompt.version) } : null,
  };
}

/**
 * An attempt in the form of receipts. Times are on the monotonic clock, as are those of its call.
 * @param endedAtMs null where it ended with its call.
 */
export function describeAttempt(
  connection: ProviderConnection,
  callStartedAtMs: number,
  endedAtMs: number | null,
): RequestAttempt {
  const { route, startedAtMs, reachedAtMs, sentAtMs, answeredAtMs, reply, failure, leftOut } = connection;
  return {
    provider: route.provider,
    model: route.model,
    started_ms: Math.round(startedAtMs - callStartedAtMs),
    reached_ms: computeMsSince(callStartedAtMs, reachedAtMs),
    sent_ms: computeMsSince(callStartedAtMs, sentAtMs),
    answered_ms: computeMsSince(callStartedAtMs, answeredAtMs),
    ended_ms: computeMsSince(callStartedAtMs, endedAtMs),
    status: reply?.status ?? null,
    failure: failure,
    provider_request_id:
      (reply?.header("x-request-id") ?? reply?.header("request-id") ?? null)?.slice(0, MAX_ID_LENGTH) ?? null,
    left_out: [...leftOut],
  };
}

function computeMsSince(startedAtMs: number, ms: number | null): number | null {
  return ms === null ? null : Math.round(ms - startedAtMs);
}
