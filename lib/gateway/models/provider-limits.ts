/** How long a provider may take, and how many calls it gets at a time. */
export interface ProviderLimits {
  /** Until it accepts a connection. */
  readonly connectMs: number;
  /** From the request to its first byte. */
  readonly firstByteMs: number;
  /** Between two signs of progress: an event of a stream, a piece of a whole answer. */
  readonly idleMs: number;
  /** From the request to the last byte. */
  readonly totalMs: number;
  readonly maxConcurrentRequests: number;
}

export const usualProviderLimits: ProviderLimits = {
  connectMs: 5_000,
  firstByteMs: 60_000,
  idleMs: 60_000,
  totalMs: 3_600_000,
  // Half of what the gateway takes: one provider that hangs leaves room for the others.
  maxConcurrentRequests: 1_000,
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
}

/** The draft's limits, and the usual ones for what it leaves out. */
export function toProviderLimits({ timeouts = {}, ...draft }: ProviderLimitsDraft): ProviderLimits {
  const milliseconds = (seconds: number | undefined, usual: number) =>
    seconds === undefined ? usual : seconds * 1_000;
  return {
    connectMs: milliseconds(timeouts.connect_seconds, usualProviderLimits.connectMs),
    firstByteMs: milliseconds(timeouts.first_byte_seconds, usualProviderLimits.firstByteMs),
    idleMs: milliseconds(timeouts.idle_seconds, usualProviderLimits.idleMs),
    totalMs: milliseconds(timeouts.total_seconds, usualProviderLimits.totalMs),
    maxConcurrentRequests: draft.max_concurrent_requests ?? usualProviderLimits.maxConcurrentRequests,
  };
}
