/** A pseudorandom generator that repeats its sequence for a seed (Mulberry32). */
export function seededRandom(seed: number) {
  let state = seed | 0;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (min: number, max: number) => min + Math.floor(next() * (max - min + 1));
  return {
    /** A whole number from `min` to `max`, both included. */
    between,
    chance: (probability: number) => next() < probability,
    pick: <Item>(items: readonly [Item, ...Item[]]): Item => items[between(0, items.length - 1)] ?? items[0],
  };
}

export type SeededRandom = ReturnType<typeof seededRandom>;
