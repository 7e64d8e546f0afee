import type { ClockAndRandom } from "../clock";

/** Makes clocks that only move when told to, and randomness that a seed repeats. */
export function simulatedRuntime({ nowMs = 1_800_000_000_000, seed = 1 } = {}) {
  let now = nowMs;
  let wallOffset = 0;
  let state = seed;
  return {
    clock: { nowMs: () => now + wallOffset, monotonicMs: () => now },
    random: (bytes) => Uint8Array.from({ length: bytes }, nextByte),
    pass: (ms) => {
      now += ms;
    },
    /** Moves the wall clock without letting time pass. */
    stepWallClock: (ms) => {
      wallOffset += ms;
    },
  } satisfies ClockAndRandom & { pass(ms: number): void; stepWallClock(ms: number): void };

  /** SplitMix32. */
  function nextByte(): number {
    state = (state + 0x9e3779b9) | 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return (mixed ^ (mixed >>> 15)) & 0xff;
  }
}
