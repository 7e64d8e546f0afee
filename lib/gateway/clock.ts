/** Time and randomness, which tests and the simulation replace. */
export interface ClockAndRandom {
  readonly clock: Clock;
  /** Cryptographically random bytes. */
  random(bytes: number): Uint8Array;
}

export interface Clock {
  /** Wall time in Unix milliseconds: what is stored and shown. */
  nowMs(): number;
  /** Milliseconds that never step back: what windows and latencies are measured by. */
  monotonicMs(): number;
}

/** Whether the wall clock may be days off: what can't be undone waits for its correction. */
export interface ClockCheck {
  mayBeFarOff(): boolean;
}

/** Timers, which the simulation replaces. */
export interface Timers {
  /** Resolves after `ms`, or as soon as the signal aborts. */
  wait(ms: number, signal?: AbortSignal): Promise<void>;
  /** Calls `act` every `ms` without keeping the process alive. @returns a function that stops it. */
  every(ms: number, act: () => void): () => void;
}

/** Converts stored milliseconds to the whole seconds of the API. */
export function toUnixSeconds(ms: number): number {
  return Math.floor(ms / 1000);
}

/** `toUnixSeconds` for a time that may be null. */
export function toNullableUnixSeconds(ms: number | null): number | null {
  return ms === null ? null : toUnixSeconds(ms);
}
