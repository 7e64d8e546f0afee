/**
 * A histogram of times. Each millisecond below 16 has its own bucket, and above that each doubling has 16, so that a
 * bucket is at most a sixteenth of its time wide. Histograms of parts add up exactly to that of the whole.
 */
export type Histogram = Map<number, number>;

const EXACT = 16;
const BITS = 4;

/** @param ms whole milliseconds, 0 to 2^31. */
export function findBucket(ms: number): number {
  const time = Math.max(0, Math.floor(ms));
  if (time < EXACT) return time;
  const shift = 31 - Math.clz32(time) - BITS;
  return EXACT * (shift + 1) + ((time >> shift) & (EXACT - 1));
}

/** The middle of a bucket, in milliseconds. */
export function computeBucketMiddleMs(bucket: number): number {
  if (bucket < EXACT) return bucket;
  const shift = Math.floor(bucket / EXACT) - 1;
  const min = (EXACT + (bucket % EXACT)) * 2 ** shift;
  return min + Math.floor((2 ** shift - 1) / 2);
}

export function add(histogram: Histogram, other: Iterable<readonly [number, number]>): void {
  for (const [bucket, count] of other) histogram.set(bucket, (histogram.get(bucket) ?? 0) + count);
}

/**
 * The times that shares of all values, such as 0.5 and 0.95, did not exceed; null for an empty histogram.
 * @param shares in ascending order.
 */
export function estimateQuantiles(histogram: Histogram, shares: readonly number[]): (number | null)[] {
  let total = 0;
  for (const count of histogram.values()) total += count;
  if (total === 0) return shares.map(() => null);
  // A typed array sorts by number without calling a function for each comparison.
  const buckets = Uint32Array.from(histogram.keys()).toSorted();
  let [index, countBefore] = [-1, 0];
  return shares.map((share) => {
    while (index < 0 || countBefore < total * share) countBefore += histogram.get(buckets[++index] ?? 0) ?? 0;
    return computeBucketMiddleMs(buckets[index] ?? 0);
  });
}

/** Writes JSON in the order of buckets, such as `{"12":3}`; "" for an empty histogram. */
export function writeHistogram(histogram: Histogram): string {
  return histogram.size === 0 ? "" : JSON.stringify(Object.fromEntries(histogram));
}

/**
 * Parses the output of `writeHistogram` digit by digit: a summary reads several hundred thousand, and this creates no
 * objects.
 */
export function* readHistogram(text: string): Generator<readonly [number, number]> {
  let [bucket, number] = [0, 0];
  // After the first quote there are only digits, with one character behind each number.
  for (let index = 2; index < text.length; index++) {
    const digit = text.charCodeAt(index) - ZERO_CODE;
    if (digit >= 0 && digit <= 9) number = number * 10 + digit;
    else if (text[index] === ":") [bucket, number] = [number, 0];
    else if (text[index] === "," || text[index] === "}") {
      yield [bucket, number];
      number = 0;
    }
  }
}

const ZERO_CODE = "0".charCodeAt(0);
