import type { SQLQueryBindings, Database as Sqlite } from "bun:sqlite";
import { MINUTE_MS } from "@/lib/contract/durations";
import { buildCondition, buildPlaceColumns, isOneBucket, type RangeQuestion } from "./range-question";

/** Refusals of a bucket and a group. */
export interface RefusalSum {
  readonly startMs: number;
  readonly group: string | null;
  readonly refusals: number;
}

/** Refusals are counted by the minute as they are written. They have no provider. */
export function readRefusals(sqlite: Sqlite, question: RangeQuestion): readonly RefusalSum[] {
  const { filter, fromMs, toMs, widthMs, groups } = question;
  const isByProvider = question.groupBy === "provider";
  if (filter.provider !== undefined || (isByProvider && groups?.includes(null) === false)) return [];
  const groupBy = isByProvider ? null : question.groupBy;
  const { sql, values } = buildCondition(
    isByProvider ? { ...question, groupBy, groups: undefined } : question,
  );
  const rows = sqlite.query<{ start_ms: number; of: string | null; refusals: number }, SQLQueryBindings[]>(
    `SELECT ${buildPlaceColumns("minute_ms", { widthMs, groupBy, toMs })}, sum(refusals) AS refusals FROM refusal_counts
     WHERE minute_ms >= ? AND minute_ms < ? ${sql} GROUP BY 1, 2`,
  );
  const from = fromMs - (fromMs % MINUTE_MS);
  return rows
    .all(from, toMs, ...values)
    .map(({ start_ms, of, refusals }) => ({ startMs: start_ms, group: of, refusals }));
}

/** Those of a question about the same calls in wider buckets, in all, or of some groups only. */
export function selectRefusals(sums: readonly RefusalSum[], question: RangeQuestion): readonly RefusalSum[] {
  const { groupBy, groups } = question;
  const isOne = isOneBucket(question);
  return sums
    .map(({ startMs, group, refusals }) => ({
      startMs: isOne ? 0 : startMs,
      group: groupBy === null ? null : group,
      refusals,
    }))
    .filter(({ group }) => groups === undefined || groups.includes(group));
}
