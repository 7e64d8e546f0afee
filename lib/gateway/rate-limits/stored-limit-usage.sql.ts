import type { Database as Sqlite } from "bun:sqlite";
import { rateLimitFields } from "@/lib/contract/calls/rate-limit-table";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/contract/durations";
import type { LimitDay, LimitHistory, LimitPeak } from "./limit-usage";

/** Hours cover the last day, days the last week; each is kept a little longer than needed. */
const KEPT = [
  { width: HOUR_MS, keptMs: DAY_MS + 2 * HOUR_MS },
  { width: DAY_MS, keptMs: 9 * DAY_MS },
];
const MAX_LOOKBACK_MS = 9 * DAY_MS;
/** A minute's refusals are written completely before it is this old. */
const SETTLED_MS = 5 * MINUTE_MS;
/** Minutes of refusals folded per step. */
const BATCH_SIZE = 10;

const FIELDS = rateLimitFields.map((field) => `'${field}'`).join(", ");

const upsert = `INSERT INTO limit_uses (project_id, width_ms, start_ms, model, field, peak, refusals)
  VALUES (?, ?, ?, ?, ?, ?, 0)
  ON CONFLICT DO UPDATE SET peak = max(peak, excluded.peak) WHERE excluded.peak > peak`;

/** Stores peaks with the times at which they were seen, in one transaction. */
export function savePeaks(
  sqlite: Sqlite,
  samples: Iterable<{ readonly atMs: number; readonly peak: LimitPeak }>,
): void {
  const keep = sqlite.query(upsert);
  sqlite
    .transaction(() => {
      for (const {
        atMs,
        peak: { projectId, model, field, peak },
      } of samples) {
        for (const { width } of KEPT) {
          keep.run(projectId, width, atMs - (atMs % width), model, field, Math.ceil(peak));
        }
      }
    })
    .immediate();
}

/**
 * Adds the refusals of a few completed minutes to the hours and days. The counts and the progress change in one
 * transaction.
 * @returns whether there may be more.
 */
export function foldRefusals(sqlite: Sqlite, nowMs: number): boolean {
  const settledUntilMs = nowMs - SETTLED_MS;
  const until = settledUntilMs - (settledUntilMs % MINUTE_MS);
  return sqlite
    .transaction(() => {
      const from = Math.max(readFoldedUntil(sqlite), until - MAX_LOOKBACK_MS);
      if (from >= until) return false;
      const next = findBatchEnd(sqlite, from, until);
      const fold = sqlite.query(
        `INSERT INTO limit_uses (project_id, width_ms, start_ms, model, field, peak, refusals)
         SELECT project_id, ?1, minute_ms - minute_ms % ?1, model, refused_by, 0, sum(refusals) FROM refusal_counts
         WHERE minute_ms >= ?2 AND minute_ms < ?3 AND refused_by IN (${FIELDS}) GROUP BY 1, 3, 4, 5
         ON CONFLICT DO UPDATE SET refusals = refusals + excluded.refusals`,
      );
      for (const { width } of KEPT) fold.run(width, from, next);
      sqlite.query("UPDATE limit_uses_end SET minute_ms = ?").run(next);
      return next < until;
    })
    .immediate();
}

/** Deletes hours and days that are no longer needed. */
export function pruneLimitUsage(sqlite: Sqlite, nowMs: number): void {
  const forget = sqlite.query("DELETE FROM limit_uses WHERE width_ms = ? AND start_ms < ?");
  for (const { width, keptMs } of KEPT) forget.run(width, nowMs - keptMs);
}

interface PastRow {
  readonly project_id: string;
  readonly model: string;
  readonly field: LimitHistory["field"];
  readonly peak_day: number;
  readonly peak_week: number;
  readonly refusals_day: number;
  readonly refusals_week: number;
}

/**
 * Peaks and refusals of the last 24 hours, by the hour, and of the last 7 days, by the day; minutes that are not folded
 * yet are counted one by one.
 */
export function readLimitHistory(
  sqlite: Sqlite,
  projectIds: readonly string[] | null,
  nowMs: number,
): LimitHistory[] {
  const inProjects = projectIds === null ? "" : "AND project_id IN (SELECT value FROM json_each(?4))";
  const week = nowMs - (nowMs % DAY_MS) - 7 * DAY_MS;
  const rows = sqlite
    .query<PastRow, (number | string)[]>(
      `SELECT project_id, model, field,
         coalesce(max(peak) FILTER (WHERE width_ms = ${HOUR_MS}), 0) AS peak_day,
         coalesce(max(peak) FILTER (WHERE width_ms = ${DAY_MS}), 0) AS peak_week,
         coalesce(sum(refusals) FILTER (WHERE width_ms = ${HOUR_MS}), 0) AS refusals_day,
         coalesce(sum(refusals) FILTER (WHERE width_ms = ${DAY_MS}), 0) AS refusals_week
       FROM (
         SELECT project_id, width_ms, model, field, peak, refusals FROM limit_uses
         WHERE ((width_ms = ${HOUR_MS} AND start_ms >= ?1) OR (width_ms = ${DAY_MS} AND start_ms >= ?2)) ${inProjects}
         UNION ALL
         SELECT project_id, column1, model, refused_by, 0, refusals FROM refusal_counts, (VALUES (${HOUR_MS}), (${DAY_MS}))
         WHERE minute_ms >= max(?3, iif(column1 = ${HOUR_MS}, ?1, ?2)) AND refused_by IN (${FIELDS}) ${inProjects}
       ) GROUP BY 1, 2, 3`,
    )
    .all(
      dayAgo(nowMs),
      week,
      readFoldedUntil(sqlite),
      ...(projectIds === null ? [] : [JSON.stringify(projectIds)]),
    );
  return rows.map((row) => ({
    projectId: row.project_id,
    model: row.model,
    field: row.field,
    dayPeak: row.peak_day,
    weekPeak: Math.max(row.peak_week, row.peak_day),
    dayRefusals: row.refusals_day,
    weekRefusals: row.refusals_week,
  }));
}

/** Peaks and refusals of the last 24 hours, by the hour, and of minutes that are not folded yet. */
export function readLimitDay(
  sqlite: Sqlite,
  projectIds: readonly string[] | null,
  nowMs: number,
): LimitDay[] {
  const inProjects = projectIds === null ? "" : "AND project_id IN (SELECT value FROM json_each(?3))";
  return sqlite
    .query<LimitDay, (number | string)[]>(
      `SELECT project_id AS projectId, model, field, max(peak) AS peak, sum(refusals) AS refusals
       FROM (
         SELECT project_id, model, field, peak, refusals FROM limit_uses
         WHERE width_ms = ${HOUR_MS} AND start_ms >= ?1 ${inProjects}
         UNION ALL
         SELECT project_id, model, refused_by, 0, refusals FROM refusal_counts
         WHERE minute_ms >= max(?1, ?2) AND refused_by IN (${FIELDS}) ${inProjects}
       ) GROUP BY 1, 2, 3`,
    )
    .all(
      dayAgo(nowMs),
      readFoldedUntil(sqlite),
      ...(projectIds === null ? [] : [JSON.stringify(projectIds)]),
    );
}

/** The hour that began 24 hours before the present one. */
const dayAgo = (nowMs: number) => nowMs - (nowMs % HOUR_MS) - DAY_MS;

function readFoldedUntil(sqlite: Sqlite): number {
  return (
    sqlite.query<{ minute_ms: number }, []>("SELECT minute_ms FROM limit_uses_end").get()?.minute_ms ?? 0
  );
}

/** Where a batch of minutes with refusals that begins at `from` ends; `until` if there are no more of them. */
function findBatchEnd(sqlite: Sqlite, from: number, until: number): number {
  const firstLeftOut = sqlite
    .query<{ minute_ms: number }, [number, number, number]>(
      `SELECT DISTINCT minute_ms FROM refusal_counts WHERE minute_ms >= ? AND minute_ms < ? ORDER BY 1 LIMIT 1 OFFSET ?`,
    )
    .get(from, until, BATCH_SIZE);
  return firstLeftOut?.minute_ms ?? until;
}
