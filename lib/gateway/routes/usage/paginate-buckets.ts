import { groupBy } from "../../lists/group-by";
import type { Bucket } from "../../log/usage/cut-into-buckets";

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
