import type { UsageBucket, UsageSummary } from "@/lib/contract/operations/usage/usage-summary";
import { listBucketTimes } from "./build-series";
import { listFigures } from "./list-figures";

/** Returns the spend of each bucket with the time at which it begins, oldest first. */
export function listSpendBuckets(summary: UsageSummary): Pick<UsageBucket, "start_time" | "amount">[] {
  const times = listBucketTimes(summary);
  return listFigures(summary.series).map(({ amount }, index) => ({
    start_time: times[index] ?? summary.end_time,
    amount,
  }));
}
