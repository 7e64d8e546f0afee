import { type Nano, toNano, ZERO } from "@/lib/money/amount";
import { add, type Histogram, quantileOf } from "./histogram";
import type { UsageBucket, UsageFigures } from "./usage-summary";

/** The stored sum of calls of one time range and one group. */
export interface UsageSum {
  readonly requests: number;
  readonly errors: number;
  readonly refusals: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** The part of the prompts' tokens that providers read from their caches. */
  readonly cachedTokens: number;
  readonly amount: Nano;
}

export const NO_USAGE: UsageSum = {
  requests: 0,
  errors: 0,
  refusals: 0,
  promptTokens: 0,
  completionTokens: 0,
  cachedTokens: 0,
  amount: ZERO,
};

export interface Latencies {
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

  addLatencies(
    startMs: number,
    { durations, firstBytes }: { [Name in keyof Latencies]: Iterable<readonly [number, number]> },
  ): void {
    const bucket = this.#bucketAt(startMs);
    add(bucket.#durations, durations);
    add(bucket.#firstBytes, firstBytes);
  }

  /** Adds another tally's sums. */
  addTally(other: UsageTally): void {
    for (const [startMs, bucket] of other.#buckets) {
      this.add(startMs, bucket.sum);
      this.addLatencies(startMs, { durations: bucket.#durations, firstBytes: bucket.#firstBytes });
    }
  }

  /** The difference after subtracting parts. */
  without(parts: Iterable<UsageTally>): UsageTally {
    const left = new UsageTally();
    left.addTally(this);
    for (const part of parts) {
      for (const [startMs, bucket] of part.#buckets) {
        left.add(startMs, negative(bucket.sum));
        const [durations, firstBytes] = [bucket.#durations, bucket.#firstBytes].map(negativeCounts);
        left.addLatencies(startMs, { durations: durations ?? [], firstBytes: firstBytes ?? [] });
      }
    }
    for (const [startMs, { sum }] of left.#buckets) if (isNothing(sum)) left.#buckets.delete(startMs);
    return left;
  }

  figures(): UsageFigures {
    const { durations, firstBytes } = this.#latencies();
    return {
      ...this.sum,
      durationP50Ms: quantileOf(durations, 0.5),
      durationP95Ms: quantileOf(durations, 0.95),
      firstByteP50Ms: quantileOf(firstBytes, 0.5),
      firstByteP95Ms: quantileOf(firstBytes, 0.95),
    };
  }

  /** Oldest first. */
  buckets(): UsageBucket[] {
    const sorted = [...this.#buckets].toSorted(([one], [other]) => one - other);
    return sorted.map(([startMs, bucket]) => ({ startMs, ...bucket.figures() }));
  }

  /** Merged from the buckets: latencies are stored per bucket only, so that each is added once. */
  #latencies(): Latencies {
    const whole: Latencies = { durations: new Map(this.#durations), firstBytes: new Map(this.#firstBytes) };
    for (const bucket of this.#buckets.values()) {
      add(whole.durations, bucket.#durations);
      add(whole.firstBytes, bucket.#firstBytes);
    }
    return whole;
  }

  /** In place: a summary of a quarter adds up some hundred thousand. */
  #addHere(sum: UsageSum): void {
    const own = this.#sum;
    own.requests += sum.requests;
    own.errors += sum.errors;
    own.refusals += sum.refusals;
    own.promptTokens += sum.promptTokens;
    own.completionTokens += sum.completionTokens;
    own.cachedTokens += sum.cachedTokens;
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
  amount: toNano(-sum.amount),
});

const negativeCounts = (histogram: Histogram) =>
  [...histogram].map(([bucket, count]) => [bucket, -count] as const);
