import type { SQLQueryBindings, Database as Sqlite } from "bun:sqlite";
import { DAY_MS, MINUTE_MS } from "@/lib/contract/durations";
import { buildCondition, buildPlaceColumns, isOneBucket, type RangeQuery } from "./range-query";
import { readCached } from "./row-cache";

/** Refusals of a bucket and a group. */
export interface RefusalSum {
  readonly startMs: number;
  readonly group: string | null;
  readonly refusals: number;
}

/**
 * Refusals are counted by the minute as they are written. They have no provider. Whole days, which rarely change, are
 * kept.
 */
export function readRefusals(sqlite: Sqlite, query: RangeQuery): readonly RefusalSum[] {
  const { filter, toMs, widthMs, groups } = query;
  const isByProvider = query.groupBy === "provider";
  if (filter.provider !== undefined || (isByProvider && groups?.includes(null) === false)) return [];
  const groupBy = isByProvider ? null : query.groupBy;
  const condition = buildCondition(isByProvider ? { ...query, groupBy, groups: undefined } : query);
  const sql = `SELECT ${buildPlaceColumns("minute_ms", { widthMs, groupBy, toMs })}, sum(refusals) AS refusals FROM refusal_counts
    WHERE minute_ms >= ? AND minute_ms < ? ${condition.sql} GROUP BY 1, 2`;
  const fromMs = query.fromMs - (query.fromMs % MINUTE_MS);
  const firstDay = Math.min(toMs, Math.ceil(fromMs / DAY_MS) * DAY_MS);
  const daysEnd = Math.max(firstDay, toMs - (toMs % DAY_MS));
  const read = (from: number, to: number) =>
    from < to ? sqlite.query<Row, SQLQueryBindings[]>(sql).all(from, to, ...condition.values) : [];
  const version = countChanges(sqlite, firstDay, daysEnd);
  const rows = [
    ...read(fromMs, firstDay),
    ...readCached<Row>(sqlite, { sql, values: [firstDay, daysEnd, ...condition.values], version }),
    ...read(daysEnd, toMs),
  ];
  return rows.map(({ start_ms, group_value, refusals }) => ({
    startMs: start_ms,
    group: group_value,
    refusals,
  }));
}

interface Row {
  readonly start_ms: number;
  readonly group_value: string | null;
  readonly refusals: number;
}

function countChanges(sqlite: Sqlite, fromDayMs: number, untilDayMs: number): number {
  const row = sqlite
    .query<{ changes: number | null }, [number, number]>(
      "SELECT sum(changes) AS changes FROM refusal_days WHERE day_ms >= ? AND day_ms < ?",
    )
    .get(fromDayMs, untilDayMs);
  return row?.changes ?? 0;
}

/** Selects the refusals of a query about the same calls in wider buckets, in all, or of some groups only. */
export function selectRefusals(sums: readonly RefusalSum[], query: RangeQuery): readonly RefusalSum[] {
  const { groupBy, groups } = query;
  const isOne = isOneBucket(query);
  const shown = groups && new Set(groups);
  const selected = new Map<string | null, Map<number, number>>();
  for (const { startMs, group, refusals } of sums) {
    const shownGroup = groupBy === null ? null : group;
    if (shown?.has(shownGroup) === false) continue;
    const buckets = selected.get(shownGroup) ?? new Map<number, number>();
    selected.set(shownGroup, buckets);
    const start = isOne ? 0 : startMs;
    buckets.set(start, (buckets.get(start) ?? 0) + refusals);
  }
  return [...selected].flatMap(([group, buckets]) =>
    [...buckets].map(([startMs, refusals]) => ({ startMs, group, refusals })),
  );
}
