/**
 * A histogram of times. Each millisecond below 16 has its own bucket, and above that each doubling has 16, so that a
 * bucket is at most a sixteenth of its time wide. Histograms of parts add up exactly to that of the whole.
 */
export type Histogram = Map<number, number>;

const EXACT = 16;
const BITS = 4;

/** @param ms whole milliseconds, 0 to 2^31. */
export function bucketOf(ms: number): number {
  const time = Math.max(0, Math.floor(ms));
  if (time < EXACT) return time;
  const shift = 31 - Math.clz32(time) - BITS;
  return EXACT * (shift + 1) + ((time >> shift) & (EXACT - 1));
}

/** The middle of a bucket, in milliseconds. */
export function timeOf(bucket: number): number {
  if (bucket < EXACT) return bucket;
  const shift = Math.floor(bucket / EXACT) - 1;
  const least = (EXACT + (bucket % EXACT)) * 2 ** shift;
  return least + Math.floor((2 ** shift - 1) / 2);
}

export function note(histogram: Histogram, ms: number): void {
  const bucket = bucketOf(ms);
  histogram.set(bucket, (histogram.get(bucket) ?? 0) + 1);
}

export function add(histogram: Histogram, other: Iterable<readonly [number, number]>): void {
  for (const [bucket, count] of other) histogram.set(bucket, (histogram.get(bucket) ?? 0) + count);
}

/** The time that a share of all values, such as 0.95, did not exceed; null for an empty histogram. */
export function quantileOf(histogram: Histogram, share: number): number | null {
  const buckets = [...histogram].toSorted(([one], [other]) => one - other);
  const whole = buckets.reduce((sum, [, count]) => sum + count, 0);
  if (whole === 0) return null;
  let passed = 0;
  for (const [bucket, count] of buckets) {
    passed += count;
    if (passed >= whole * share) return timeOf(bucket);
  }
  return null;
}

/** As JSON, in the order of buckets: `{"12":3}`; "" for an empty histogram. */
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
