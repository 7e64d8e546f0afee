import { expect, test } from "bun:test";
import {
  add,
  computeBucketMiddleMs,
  estimateQuantiles,
  findBucket,
  readHistogram,
  writeHistogram,
} from "./usage-tally";

test("a bucket's time is never a sixteenth off, and buckets are in the order of times", () => {
  let last = -1;
  for (let ms = 0; ms < 2 ** 31; ms = Math.floor(ms * 1.013) + 1) {
    const bucket = findBucket(ms);
    expect(bucket).toBeGreaterThanOrEqual(last);
    expect(Math.abs(computeBucketMiddleMs(bucket) - ms)).toBeLessThanOrEqual(ms / 16);
    expect(findBucket(computeBucketMiddleMs(bucket))).toBe(bucket);
    last = bucket;
  }
  for (let ms = 0; ms < 16; ms++) expect(computeBucketMiddleMs(findBucket(ms))).toBe(ms);
});

test("the histograms of all parts add up to that of the whole, also when written", () => {
  const [wholeHistogram, one, other] = [new Map(), new Map(), new Map()];
  for (let ms = 1; ms <= 1_000; ms++) {
    for (const histogram of [wholeHistogram, ms % 3 === 0 ? one : other])
      add(histogram, [[findBucket(ms), 1]]);
  }
  const sum = new Map();
  for (const part of [one, other]) add(sum, readHistogram(writeHistogram(part)));
  expect(writeHistogram(sum)).toBe(writeHistogram(wholeHistogram));
  const [p0, p50, p95, p100] = estimateQuantiles(sum, [0, 0.5, 0.95, 1]);
  expect([p0, p100]).toEqual([1, computeBucketMiddleMs(findBucket(1_000))]);
  expect(Math.abs((p50 ?? 0) - 500)).toBeLessThan(500 / 16);
  expect(Math.abs((p95 ?? 0) - 950)).toBeLessThan(950 / 16);
  expect(estimateQuantiles(new Map(), [0.5, 0.95])).toEqual([null, null]);
  expect(estimateQuantiles(new Map([[7, 0]]), [0.5])).toEqual([null]);
  expect([...readHistogram("")]).toEqual([]);
});
