import type { RateLimitField } from "@/lib/contract/calls/rate-limit-table";
import type { LoggedRequest } from "@/lib/contract/operations/calls/requests";
import { measure } from "./sum-by-key";

/** How much of a limit was used in all, from a time on. */
export interface UsagePoint {
  /** Unix seconds. */
  readonly at: number;
  readonly used: number;
}

/**
 * Adds up what calls used of a limit, oldest first: a point for each second in which some began. Null if the log
 * doesn't tell it of every call.
 */
export function accumulateUsage(field: RateLimitField, calls: readonly LoggedRequest[]): UsagePoint[] | null {
  const bySecond = new Map<number, number>();
  for (const call of calls) {
    const amount = measure(field, call);
    if (amount === null) return null;
    bySecond.set(call.created_at, (bySecond.get(call.created_at) ?? 0) + amount);
  }
  let used = 0;
  return [...bySecond]
    .toSorted(([one], [other]) => one - other)
    .map(([at, more]) => {
      used += more;
      return { at, used };
    });
}
