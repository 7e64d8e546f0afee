/** Why an attempt at a provider failed, as far as its receipt tells. */
export const attemptCauses = [
  "no_connection",
  "no_answer",
  "rate_limited",
  "server_error",
  "timed_out",
  "misconfigured",
  "empty_account",
  "request_refused",
  "other_refusal",
  "broken_answer",
] as const;
export type AttemptCause = (typeof attemptCauses)[number];

interface Attempt {
  readonly sent_ms: number | null;
  readonly status: number | null;
  readonly failure: string | null;
}

const byStatus: Readonly<Record<number, AttemptCause>> = {
  400: "request_refused",
  401: "misconfigured",
  402: "empty_account",
  403: "misconfigured",
  404: "misconfigured",
  408: "timed_out",
  413: "request_refused",
  422: "request_refused",
  429: "rate_limited",
  504: "timed_out",
};

/** Null for an attempt that was answered. */
export function findAttemptCause({ sent_ms, status, failure }: Attempt): AttemptCause | null {
  if (failure === null) return null;
  if (status === null) return sent_ms === null ? "no_connection" : "no_answer";
  if (status === 403 && failure === "content_filter") return "request_refused";
  if (status === 429 && failure === "provider_misconfigured") return "empty_account";
  if (status < 300) return "broken_answer";
  return byStatus[status] ?? (status >= 500 ? "server_error" : "other_refusal");
}
