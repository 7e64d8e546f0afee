/** The recent outcomes of one model's calls. */
export interface ModelHealth {
  readonly model: string;
  /** Calls that reached a provider. */
  readonly calls: number;
  /** Those of `calls` that the provider failed. */
  readonly errors: number;
  /**
   * The median and the 95th percentile of the time to the first byte of completed calls, to a precision of a sixteenth.
   */
  readonly firstByteP50Ms: number | null;
  readonly firstByteP95Ms: number | null;
  /** The speed of completed calls after the first byte; null if that took no time. */
  readonly tokensPerSecond: number | null;
}

export interface ModelHealthReader {
  /** Since the hour of `fromMs`. Calls of the last few seconds may not be summed yet. */
  modelHealth(fromMs: number): Promise<ModelHealth[]>;
}
