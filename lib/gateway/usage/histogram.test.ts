import { expect, test } from "bun:test";
import { add, bucketOf, note, quantileOf, readHistogram, timeOf, writeHistogram } from "./histogram";

test("a bucket's time is never a sixteenth off, and buckets are in the order of times", () => {
  let last = -1;
  for (let ms = 0; ms < 2 ** 31; ms = Math.floor(ms * 1.013) + 1) {
    const bucket = bucketOf(ms);
    expect(bucket).toBeGreaterThanOrEqual(last);
    expect(Math.abs(timeOf(bucket) - ms)).toBeLessThanOrEqual(ms / 16);
    expect(bucketOf(timeOf(bucket))).toBe(bucket);
    last = bucket;
  }
  for (let ms = 0; ms < 16; ms++) expect(timeOf(bucketOf(ms))).toBe(ms);
});

test("histograms of parts are that of the whole, as they are written too", () => {
  const [whole, one, other] = [new Map(), new Map(), new Map()];
  for (let ms = 1; ms <= 1_000; ms++) {
    note(whole, ms);
    note(ms % 3 === 0 ? one : other, ms);
  }
  const sum = new Map();
  for (const part of [one, other]) add(sum, readHistogram(writeHistogram(part)));
  expect(writeHistogram(sum)).toBe(writeHistogram(whole));
  expect(Math.abs((quantileOf(sum, 0.5) ?? 0) - 500)).toBeLessThan(500 / 16);
  expect(Math.abs((quantileOf(sum, 0.95) ?? 0) - 950)).toBeLessThan(950 / 16);
  expect(quantileOf(new Map(), 0.5)).toBeNull();
  expect([...readHistogram("")]).toEqual([]);
});
