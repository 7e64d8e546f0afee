import { MAX_REQUEST_MS } from "@/lib/contract/calls/call-durations";
import { MINUTE_MS } from "@/lib/contract/durations";

/** The time limits and the concurrency limit of a provider. */
export interface ProviderLimits {
  /** Maximum time until a connection is accepted. */
  readonly connectMs: number;
  /** Maximum time from the request to the first byte of the reply. */
  readonly firstByteMs: number;
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
  connectMs: 5_000,
  firstByteMs: MINUTE_MS,
  idleMs: MINUTE_MS,
  totalMs: MAX_REQUEST_MS,
  // Half of the gateway's own limit, so that one hanging provider leaves room for the others.
  maxConcurrentRequests: 1_000,
  circuit: defaultCircuit,
};

/** A provider's limits in the configuration file, times in seconds. */
export interface ProviderLimitsDraft {
  readonly timeouts?:
    | {
        readonly connect_seconds?: number | undefined;
        readonly first_byte_seconds?: number | undefined;
        readonly idle_seconds?: number | undefined;
        readonly total_seconds?: number | undefined;
      }
    | undefined;
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
  const milliseconds = (seconds: number | undefined, usual: number) =>
    seconds === undefined ? usual : seconds * 1_000;
  return {
    connectMs: milliseconds(timeouts.connect_seconds, defaultProviderLimits.connectMs),
    firstByteMs: milliseconds(timeouts.first_byte_seconds, defaultProviderLimits.firstByteMs),
    idleMs: milliseconds(timeouts.idle_seconds, defaultProviderLimits.idleMs),
    totalMs: milliseconds(timeouts.total_seconds, defaultProviderLimits.totalMs),
    maxConcurrentRequests: draft.max_concurrent_requests ?? defaultProviderLimits.maxConcurrentRequests,
    circuit:
      circuit === false
        ? null
        : {
            failures: circuit.failures ?? defaultCircuit.failures,
            pauseMs: milliseconds(circuit.pause_seconds, defaultCircuit.pauseMs),
          },
  };
}
