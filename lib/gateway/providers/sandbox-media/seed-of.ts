/** Returns numbers from 0 to 1, always the same ones for one text. */
export type Random = () => number;

/** A seed of 32 bits. */
export function seedOf(text: string): number {
  return Bun.hash.xxHash32(text);
}

/** Mulberry32. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
