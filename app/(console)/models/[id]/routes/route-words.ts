import type { Tone } from "@/components/ui/status";
import type { AttemptCause } from "@/lib/contract/calls/attempt-cause";
import type { ActiveRoute } from "@/lib/contract/operations/models/model-routes";

/** Each cause in words, and where a call goes on after it. */
export const causeWords: Readonly<
  Record<AttemptCause, { readonly short: string; readonly what: string; readonly next: string }>
> = {
  no_connection: { short: "no connection", what: "No connection", next: "another provider" },
  no_answer: {
    short: "no answer",
    what: "No answer in time, or the connection was lost",
    next: "next route",
  },
  rate_limited: {
    short: "429",
    what: "429 from the provider",
    next: "next route; this one rests as long as it asks",
  },
  server_error: {
    short: "5xx",
    what: "500, 502, 503, 529",
    next: "next route; once more where there is no other",
  },
  timed_out: { short: "timeout", what: "408, 504", next: "next route" },
  misconfigured: {
    short: "setup",
    what: "401, 403, 404: wrong key or address",
    next: "next route, and the fault is shown",
  },
  empty_account: { short: "no credit", what: "402, or 429 without credit", next: "another provider" },
  request_refused: {
    short: "refused",
    what: "400, 413, 422, content filter",
    next: "tell the caller; too long a prompt goes to a longer window",
  },
  other_refusal: { short: "refused", what: "Another refusal, such as 409", next: "next route" },
  broken_answer: {
    short: "broke off",
    what: "Fails after the first byte",
    next: "tell the caller: text is already out",
  },
};

export const stateWords: Readonly<
  Record<ActiveRoute["state"], { readonly tone: Tone; readonly words: string }>
> = {
  healthy: { tone: "good", words: "healthy" },
  failing: { tone: "near", words: "its last call failed" },
  off: { tone: "neutral", words: "off: no weight" },
  ended: { tone: "neutral", words: "ended" },
  resting: { tone: "near", words: "rests after a 429" },
  open: { tone: "bad", words: "circuit open" },
  misconfigured: { tone: "bad", words: "set up wrongly" },
};

/** How routes of a group take turns. */
export const orderWords = {
  weight: "shared by weight",
  latency: "fastest of 15 minutes first",
  price: "cheapest provider first",
} as const;

/** What stands between two groups, and above the first. */
export const groupWords = (position: number, count: number): string =>
  position === 0 ? "First" : position === count - 1 && count > 2 ? "Last" : "Then";
