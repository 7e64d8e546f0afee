import type { Effects } from "../ports/effects";

/** The machine's own clock and randomness. */
export const machineEffects: Effects = {
  clock: { nowMs: () => Date.now(), monotonicMs: () => performance.now() },
  random: (bytes) => crypto.getRandomValues(new Uint8Array(bytes)),
};
