/** Returns numbers from 0 to 1, always the same ones for one text. */
type Random = () => number;

/** A seed of 32 bits. */
export function hashSeed(text: string): number {
  return Bun.hash.xxHash32(text);
}

/** Mulberry32. */
export function createPictureRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixedBits = Math.imul(state ^ (state >>> 15), state | 1);
    mixedBits ^= mixedBits + Math.imul(mixedBits ^ (mixedBits >>> 7), mixedBits | 61);
    return ((mixedBits ^ (mixedBits >>> 14)) >>> 0) / 2 ** 32;
  };
}
