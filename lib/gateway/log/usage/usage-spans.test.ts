import { expect, test } from "bun:test";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/contract/durations";
import { cutIntoSpans } from "./range-query.sql";

const DAY = Date.UTC(2027, 0, 15);

test("a stretch is days in its middle, and hours, minutes and calls at its ends, without a gap", () => {
  const range = { fromMs: DAY - 90 * MINUTE_MS - 500, toMs: DAY + 2 * DAY_MS + 61 * MINUTE_MS + 7 };
  const spans = cutIntoSpans(range, DAY_MS, 0);
  expect(spans.map(({ sumWidthMs: sumsOf }) => sumsOf)).toEqual([
    null,
    MINUTE_MS,
    HOUR_MS,
    DAY_MS,
    HOUR_MS,
    MINUTE_MS,
    null,
  ]);
  expect(spans[0]?.fromMs).toBe(range.fromMs);
  expect(spans.at(-1)?.toMs).toBe(range.toMs);
  for (const [index, span] of spans.entries()) {
    if (index > 0) expect(span.fromMs).toBe(spans[index - 1]?.toMs ?? 0);
    if (span.sumWidthMs !== null)
      expect([span.fromMs % span.sumWidthMs, span.toMs % span.sumWidthMs]).toEqual([0, 0]);
  }
});

test("sums are no wider than a bucket, and minutes that are gone are counted one by one", () => {
  const range = { fromMs: DAY, toMs: DAY + 30 * MINUTE_MS };
  expect(cutIntoSpans({ ...range, toMs: DAY + DAY_MS }, HOUR_MS, 0)).toEqual([
    { fromMs: DAY, toMs: DAY + DAY_MS, sumWidthMs: HOUR_MS },
  ]);
  expect(cutIntoSpans(range, DAY_MS, DAY + 10 * MINUTE_MS)).toEqual([
    { fromMs: DAY, toMs: DAY + 10 * MINUTE_MS, sumWidthMs: null },
    { fromMs: DAY + 10 * MINUTE_MS, toMs: range.toMs, sumWidthMs: MINUTE_MS },
  ]);
  expect(cutIntoSpans({ fromMs: DAY, toMs: DAY }, DAY_MS, 0)).toEqual([]);
});
