import type { Database } from "bun:sqlite";
import { describeLimit, limitWindows, rateLimitRows } from "@/lib/contract/calls/rate-limit-table";
import { formatCount } from "../format-figures";
import { type Check, limitFaults, queryRows } from "./check";

/** The log's times are slightly later than admission, so the checked window is slightly shorter. */
const MARGIN_MS = 1_000;

/** The limits on requests. Each request is a row of the request log. */
const windows = rateLimitRows
  .filter(({ counts }) => counts === "requests")
  .map(({ field, window }) => ({ field, words: describeLimit(field), ms: limitWindows[window].ms }));

interface Limit {
  project_id: string;
  model: string;
  max: bigint;
  updated_at_ms: bigint;
}

/**
 * Checks the requests admitted since a limit was last changed. Earlier limits, those that follow defaults, and tokens
 * (admitted on an estimate that is corrected later) can't be checked from the database.
 */
export const limitCheck: Check = {
  title: "I10 no window let through more requests than its limit",
  run(database) {
    const faults: string[] = [];
    let checkedCount = 0;
    for (const { field, words, ms } of windows) {
      const limits = queryRows<Limit>(
        database,
        `SELECT project_id, model, ${field} AS max, updated_at_ms FROM rate_limits
           WHERE ${field} IS NOT NULL AND own_fields LIKE '%"${field}"%'`,
      );
      for (const limit of limits) {
        checkedCount++;
        const max = findMaxWithin(database, limit, ms - MARGIN_MS);
        if (max <= Number(limit.max)) continue;
        faults.push(
          `${limit.project_id} had ${max} requests of ${limit.model} let through where its limit is ${limit.max} ${words}. Where the machine's clock was not set back meanwhile, something else used the database.`,
        );
      }
    }
    return {
      checked: `${formatCount(checkedCount, "limit")}, each since it was last changed`,
      faults: limitFaults(faults),
    };
  },
};

/** Returns the maximum number of calls within any window of this length since the limit was set. */
function findMaxWithin(database: Database, { project_id, model, updated_at_ms }: Limit, ms: number): number {
  const calls = database.query<{ at_ms: bigint }, [string, string, bigint]>(
    `SELECT at_ms FROM request_log WHERE project_id = ? AND model = ? AND at_ms >= ?
       AND outcome NOT IN ('refused', 'unsent') ORDER BY at_ms`,
  );
  const within: number[] = [];
  let first = 0;
  let max = 0;
  for (const { at_ms } of calls.iterate(project_id, model, updated_at_ms)) {
    within.push(Number(at_ms));
    while ((within[first] ?? 0) <= Number(at_ms) - ms) first++;
    max = Math.max(max, within.length - first);
  }
  return max;
}
