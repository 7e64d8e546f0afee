import type { UsageOrder } from "@/lib/contract/operations/usage/usage-summary";
import { type Nano, toNano, ZERO } from "@/lib/money/amount";
import type { FigureName, UsageBucket, UsageFigures, UsageSeries } from "./usage-summary";

/** The stored sum of calls of one time range and one group. */
interface UsageSum {
  readonly requests: number;
  readonly errors: number;
  readonly refusals: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** The part of the prompts' tokens that providers read from their caches. */
  readonly cachedTokens: number;
  /** The parts of the prompts' and the completions' tokens that are audio. */
  readonly audioPromptTokens: number;
  readonly audioCompletionTokens: number;
  readonly amount: Nano;
}

const NO_USAGE: UsageSum = {
  requests: 0,
  errors: 0,
  refusals: 0,
  promptTokens: 0,
  completionTokens: 0,
  cachedTokens: 0,
  audioPromptTokens: 0,
  audioCompletionTokens: 0,
  amount: ZERO,
};

interface Latencies {
  readonly durations: Histogram;
  readonly firstBytes: Histogram;
}

/** Adds up sums, in total and by bucket. */
export class UsageTally {
  readonly #buckets = new Map<number, UsageTally>();
  readonly #durations: Histogram = new Map();
  readonly #firstBytes: Histogram = new Map();
  readonly #sum: { -readonly [Figure in keyof UsageSum]: UsageSum[Figure] } = { ...NO_USAGE };

  get sum(): UsageSum {
    return this.#sum;
  }

  add(startMs: number, sum: UsageSum): void {
    this.#addHere(sum);
    this.#bucketAt(startMs).#addHere(sum);
  }

  addRefusals(startMs: number, refusals: number): void {
    this.#sum.refusals += refusals;
    this.#bucketAt(startMs).#sum.refusals += refusals;
  }

  /** @param startMs the bucket; null for latencies that only the whole has. */
  addLatencies(
    startMs: number | null,
    { durations, firstBytes }: { [Name in keyof Latencies]: Iterable<readonly [number, number]> },
  ): void {
    const tally = startMs === null ? this : this.#bucketAt(startMs);
    add(tally.#durations, durations);
    add(tally.#firstBytes, firstBytes);
  }

  /** Adds another tally's sums. */
  addTally(other: UsageTally): void {
    this.addLatencies(null, { durations: other.#durations, firstBytes: other.#firstBytes });
    for (const [startMs, bucket] of other.#buckets) {
      this.add(startMs, bucket.sum);
      this.addLatencies(startMs, { durations: bucket.#durations, firstBytes: bucket.#firstBytes });
    }
  }

  /** The difference after subtracting parts. */
  without(parts: Iterable<UsageTally>): UsageTally {
    const remainder = new UsageTally();
    remainder.addTally(this);
    for (const part of parts) {
      remainder.#takeLatencies(null, part);
      for (const [startMs, bucket] of part.#buckets) {
        remainder.add(startMs, negative(bucket.sum));
        remainder.#takeLatencies(startMs, bucket);
      }
    }
    for (const [startMs, { sum }] of remainder.#buckets)
      if (isNothing(sum)) remainder.#buckets.delete(startMs);
    return remainder;
  }

  #takeLatencies(startMs: number | null, part: UsageTally): void {
    const [durations, firstBytes] = [negativeCounts(part.#durations), negativeCounts(part.#firstBytes)];
    this.addLatencies(startMs, { durations, firstBytes });
  }

  figures(): UsageFigures {
    const { durations, firstBytes } = this.#latencies();
    const [durationP50Ms = null, durationP95Ms = null] = estimateQuantiles(durations, [0.5, 0.95]);
    const [firstByteP50Ms = null, firstByteP95Ms = null] = estimateQuantiles(firstBytes, [0.5, 0.95]);
    return { ...this.sum, durationP50Ms, durationP95Ms, firstByteP50Ms, firstByteP95Ms };
  }

  /** Oldest first. */
  buckets(): UsageBucket[] {
    const sortedBuckets = [...this.#buckets].toSorted(([one], [other]) => one - other);
    return sortedBuckets.map(([startMs, bucket]) => ({ startMs, ...bucket.figures() }));
  }

  /** The values of figures in the buckets that begin at these times; an empty bucket's where there is no bucket. */
  series(names: readonly FigureName[], starts: readonly number[]): UsageSeries {
    const buckets = starts.map((startMs) => this.#buckets.get(startMs));
    const none = new UsageTally().figures();
    const haveLatencies = names.some((name) => !(name in NO_USAGE));
    const figures = buckets.map((bucket) => (haveLatencies ? bucket?.figures() : bucket?.sum) ?? none);
    return Object.fromEntries(
      names.map((name) => [name, figures.map((one) => (one as UsageFigures)[name])]),
    ) as UsageSeries;
  }

  /** The latencies of the buckets, plus those that only the whole has: each latency is stored in one place. */
  #latencies(): Latencies {
    if (this.#buckets.size === 0) return { durations: this.#durations, firstBytes: this.#firstBytes };
    const wholeLatencies: Latencies = {
      durations: new Map(this.#durations),
      firstBytes: new Map(this.#firstBytes),
    };
    for (const bucket of this.#buckets.values()) {
      add(wholeLatencies.durations, bucket.#durations);
      add(wholeLatencies.firstBytes, bucket.#firstBytes);
    }
    return wholeLatencies;
  }

  /** Adds in place, since a summary of a quarter adds up some hundred thousand. */
  #addHere(sum: UsageSum): void {
    const own = this.#sum;
    own.requests += sum.requests;
    own.errors += sum.errors;
    own.refusals += sum.refusals;
    own.promptTokens += sum.promptTokens;
    own.completionTokens += sum.completionTokens;
    own.cachedTokens += sum.cachedTokens;
    own.audioPromptTokens += sum.audioPromptTokens;
    own.audioCompletionTokens += sum.audioCompletionTokens;
    own.amount = toNano(own.amount + sum.amount);
  }

  #bucketAt(startMs: number): UsageTally {
    const bucket = this.#buckets.get(startMs) ?? new UsageTally();
    this.#buckets.set(startMs, bucket);
    return bucket;
  }
}

const isNothing = (sum: UsageSum) => Object.values(sum).every((figure) => BigInt(figure) === 0n);

const negative = (sum: UsageSum): UsageSum => ({
  requests: -sum.requests,
  errors: -sum.errors,
  refusals: -sum.refusals,
  promptTokens: -sum.promptTokens,
  completionTokens: -sum.completionTokens,
  cachedTokens: -sum.cachedTokens,
  audioPromptTokens: -sum.audioPromptTokens,
  audioCompletionTokens: -sum.audioCompletionTokens,
  amount: toNano(-sum.amount),
});

const negativeCounts = (histogram: Histogram) =>
  [...histogram].map(([bucket, count]) => [bucket, -count] as const);

const MAX_GROUPS = 8;

const readSize: Record<UsageOrder, (sum: UsageSum) => bigint> = {
  amount: ({ amount }) => amount,
  requests: ({ requests }) => BigInt(requests),
  tokens: ({ promptTokens, completionTokens }) => BigInt(promptTokens + completionTokens),
  failures: ({ errors, refusals }) => BigInt(errors + refusals),
};

/** The largest groups in order, and all others combined. A single other group is listed by itself. */
export function rankGroups<Id>(tallies: ReadonlyMap<Id, UsageTally>, order: UsageOrder) {
  const size = readSize[order];
  const rankedGroups = [...tallies].toSorted(([one, { sum: oneSum }], [other, { sum: otherSum }]) => {
    const [first, second] = [size(oneSum), size(otherSum)];
    return first === second ? (String(one) < String(other) ? -1 : 1) : first > second ? -1 : 1;
  });
  const shownCount = rankedGroups.length <= MAX_GROUPS + 1 ? rankedGroups.length : MAX_GROUPS;
  const otherGroups = rankedGroups.slice(shownCount);
  return { largest: rankedGroups.slice(0, shownCount), others: new Map(otherGroups) };
}

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
