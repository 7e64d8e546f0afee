/** What the calls of one model came to. */
export interface ModelHealth {
  readonly model: string;
  /** That reached a provider. */
  readonly calls: number;
  /** Of those, what the provider failed. */
  readonly errors: number;
  /** Of completed ones, to a sixteenth: half of them had the first byte within so long, and 95 of 100. */
  readonly firstByteP50Ms: number | null;
  readonly firstByteP95Ms: number | null;
  /** Of completed ones, from the first byte on; null where that took no time. */
  readonly tokensPerSecond: number | null;
}

export interface ModelHealthReader {
  /** Since the hour of `fromMs`. Calls of the last few seconds may not be summed yet. */
  modelHealth(fromMs: number): Promise<ModelHealth[]>;
}
