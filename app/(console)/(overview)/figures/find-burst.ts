/** A run of neighboring buckets, by their positions. */
interface Burst {
  readonly first: number;
  readonly last: number;
  readonly count: number;
}

/** The number of refusals from which an hour counts as a burst. */
const FEWEST = 10;
/** A burst has at least this share of all, within at most this share of the time. */
const SHARE = 0.8;
const WIDEST = 1 / 8;

/** Returns the shortest run of buckets that has most of the counts; null if they are few or spread out. */
export function findBurst(counts: readonly number[]): Burst | null {
  const all = counts.reduce((sum, count) => sum + count, 0);
  if (all < FEWEST) return null;
  for (let width = 1; width <= counts.length * WIDEST; width++) {
    const sums = counts
      .slice(width - 1)
      .map((_, first) => counts.slice(first, first + width).reduce((sum, count) => sum + count, 0));
    const count = Math.max(...sums);
    const first = sums.indexOf(count);
    if (count >= all * SHARE) return { first, last: first + width - 1, count };
  }
  return null;
}
