import { defaultTimeouts } from "@/lib/contract/calls/provider-protocols";
import type { ProviderTimeouts } from "@/lib/contract/calls/provider-timeouts";
import { SECOND_MS } from "@/lib/contract/durations";

/** The time limits and the concurrency limit of a provider. */
export interface ProviderLimits {
  /** Maximum time until a connection is accepted. */
  readonly connectMs: number;
  /** Maximum time from the request to the last byte of an answer that isn't streamed, or to the first of speech. */
  readonly wholeAnswerMs: number;
  /** Maximum time from the request to the first event of a stream. */
  readonly firstEventMs: number;
  /** Maximum time between two pieces of progress: an event of a stream, or a piece of a whole reply. */
  readonly idleMs: number;
  /** Maximum time from the request to the last byte. */
  readonly totalMs: number;
  readonly maxConcurrentRequests: number;
  /** When its circuit breakers open; null: never. */
  readonly circuit: CircuitSettings | null;
}

/** The number of failures that opens a circuit breaker, and its first pause. */
export interface CircuitSettings {
  /** The number of consecutive failed calls that opens it. */
  readonly failures: number;
  readonly pauseMs: number;
}

const defaultCircuit: CircuitSettings = { failures: 10, pauseMs: 15_000 };

export const defaultProviderLimits: ProviderLimits = {
  ...toDeadlines({}),
  // Half of the gateway's own limit, so that one hanging provider leaves room for the others.
  maxConcurrentRequests: 1_000,
  circuit: defaultCircuit,
};

/** A provider's limits in the configuration file, times in seconds. */
export interface ProviderLimitsDraft {
  readonly timeouts?: ProviderTimeouts | undefined;
  readonly max_concurrent_requests?: number | undefined;
  readonly circuit?:
    | false
    | { readonly failures?: number | undefined; readonly pause_seconds?: number | undefined }
    | undefined;
}

/** The draft's limits, with defaults for those it leaves out. */
export function toProviderLimits({
  timeouts = {},
  circuit = {},
  ...draft
}: ProviderLimitsDraft): ProviderLimits {
  return {
    ...toDeadlines(timeouts),
    maxConcurrentRequests: draft.max_concurrent_requests ?? defaultProviderLimits.maxConcurrentRequests,
    circuit:
      circuit === false
        ? null
        : {
            failures: circuit.failures ?? defaultCircuit.failures,
            pauseMs: toMilliseconds(circuit.pause_seconds, defaultCircuit.pauseMs / SECOND_MS),
          },
  };
}

type Deadlines = Pick<ProviderLimits, "connectMs" | "wholeAnswerMs" | "firstEventMs" | "idleMs" | "totalMs">;

/** Time limits in milliseconds, with defaults for those that are left out. */
function toDeadlines(timeouts: ProviderTimeouts): Deadlines {
  const { connect_seconds, whole_answer_seconds, first_event_seconds, idle_seconds, total_seconds } =
    timeouts;
  return {
    connectMs: toMilliseconds(connect_seconds, defaultTimeouts.connect_seconds),
    wholeAnswerMs: toMilliseconds(whole_answer_seconds, defaultTimeouts.whole_answer_seconds),
    firstEventMs: toMilliseconds(first_event_seconds, defaultTimeouts.first_event_seconds),
    idleMs: toMilliseconds(idle_seconds, defaultTimeouts.idle_seconds),
    totalMs: toMilliseconds(total_seconds, defaultTimeouts.total_seconds),
  };
}

function toMilliseconds(seconds: number | null | undefined, usual: number): number {
  return (seconds ?? usual) * SECOND_MS;
}
