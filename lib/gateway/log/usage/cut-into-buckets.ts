import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/contract/durations";
import type { BucketWidth } from "@/lib/contract/operations/usage/usage";
import { groupBy } from "../../lists/group-by";
import { invalid } from "../../refusal";

/** A time range in Unix seconds; `endTime` is exclusive. */
export interface Bucket {
  readonly startTime: number;
  readonly endTime: number;
}

export const bucketMs = { "1m": MINUTE_MS, "1h": HOUR_MS, "1d": DAY_MS } as const;

export const usageBuckets = {
  "1m": { defaultCount: 60, max: 1_440 },
  "1h": { defaultCount: 24, max: 168 },
  "1d": { defaultCount: 7, max: 31 },
} as const;

export const costBuckets = { "1d": { defaultCount: 7, max: 180 } } as const;

interface Range {
  readonly start_time: number;
  readonly end_time?: number | undefined;
  readonly limit?: number | undefined;
  readonly page?: string | undefined;
}

/**
 * One page of a range's buckets. Buckets end on whole minutes, hours or days (UTC), so the first and the last may be
 * shorter.
 * @throws Refusal 400 for an empty range, too many buckets, or a page of another range.
 */
export function cutIntoBuckets(
  { start_time, end_time, limit, page }: Range,
  width: BucketWidth,
  { defaultCount, max }: { readonly defaultCount: number; readonly max: number },
  nowMs: number,
): { buckets: Bucket[]; nextPage: string | null } {
  // Up to and including the current second.
  const end = end_time ?? Math.max(Math.floor(nowMs / 1000), start_time) + 1;
  if (end <= start_time) throw invalid("end_time", "end_time must be later than start_time.");
  const count = limit ?? defaultCount;
  if (count < 1 || count > max) {
    throw invalid("limit", `limit must be from 1 to ${max} for buckets of ${width}.`);
  }
  const buckets: Bucket[] = [];
  const widthS = bucketMs[width] / 1_000;
  let next = page === undefined ? start_time : findPageStart(page, start_time, widthS);
  while (next < end && buckets.length < count) {
    const startTime = next;
    next += widthS - (next % widthS);
    buckets.push({ startTime, endTime: Math.min(next, end) });
  }
  return { buckets, nextPage: next < end ? `page_${next.toString(36)}` : null };
}

function findPageStart(page: string, start: number, seconds: number): number {
  const next = /^page_[0-9a-z]{1,8}$/.test(page) ? Number.parseInt(page.slice(5), 36) : Number.NaN;
  if (next > start && next % seconds === 0) return next;
  throw invalid("page", "page must be the next_page of a reply to the same query.");
}

interface Page {
  readonly buckets: readonly Bucket[];
  readonly nextPage: string | null;
}

/** A page in the form of OpenAI's usage and costs. Sums refer to their bucket by its index. */
export function paginateBuckets<Sum extends { readonly bucket: number }, Result>(
  { buckets, nextPage }: Page,
  sums: readonly Sum[],
  toResult: (sum: Sum) => Result,
) {
  const byBucket = groupBy(sums, ({ bucket }) => bucket);
  return {
    object: "page" as const,
    data: buckets.map(({ startTime, endTime }, index) => ({
      object: "bucket" as const,
      start_time: startTime,
      end_time: endTime,
      results: (byBucket.get(index) ?? []).map(toResult),
    })),
    has_more: nextPage !== null,
    next_page: nextPage,
  };
}
