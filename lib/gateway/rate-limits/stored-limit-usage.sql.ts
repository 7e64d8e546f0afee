import type { Database as Sqlite } from "bun:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { rateLimitFields } from "@/lib/contract/calls/rate-limit-table";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/contract/durations";
import { isBusy } from "../log/sums/sum-calls.sql";
import type { LimitDay, LimitHistory, LimitPeak } from "./limit-usage";

/** They take a millisecond or two, during which the ledger's writer waits. */
const PEAKS_PER_TRANSACTION = 200;
const TRIES_AT_END = 20;
const REST_MS = 25;

/** Writes peaks and folds refusals in small batches; while another connection writes, they wait for the next time. */
export class LimitUsageWriter {
  /** The highest peak of each limit and hour that is not stored yet. */
  readonly #waiting = new Map<string, { atMs: number; peak: LimitPeak }>();
  #forgotAtMs = 0;

  constructor(
    private readonly sqlite: Sqlite,
    private readonly report: (error: unknown) => void,
  ) {}

  add(atMs: number, peaks: readonly LimitPeak[]): void {
    for (const peak of peaks) {
      const key = `${Math.floor(atMs / HOUR_MS)} ${peak.projectId} ${peak.field} ${peak.model}`;
      const existing = this.#waiting.get(key);
      if (!existing || existing.peak.peak < peak.peak) this.#waiting.set(key, { atMs, peak });
    }
    this.#writePeaks();
  }

  /** Writes what is queued. */
  write(nowMs: number): void {
    if (!this.#writePeaks()) return;
    this.#run(() => foldRefusals(this.sqlite, nowMs));
    if (nowMs - this.#forgotAtMs < HOUR_MS) return;
    if (this.#run(() => pruneLimitUsage(this.sqlite, nowMs))) this.#forgotAtMs = nowMs;
  }

  /** Tries for half a second to write what is queued. */
  async end(): Promise<void> {
    for (let tries = 0; !this.#writePeaks() && tries < TRIES_AT_END; tries++) await sleep(REST_MS);
  }

  /** @returns whether the queue is empty. */
  #writePeaks(): boolean {
    const waitingPeaks = [...this.#waiting];
    for (let from = 0; from < waitingPeaks.length; from += PEAKS_PER_TRANSACTION) {
      const part = waitingPeaks.slice(from, from + PEAKS_PER_TRANSACTION);
      const writtenPeaks = part.map(([, entry]) => entry);
      if (!this.#run(() => savePeaks(this.sqlite, writtenPeaks))) return false;
      for (const [key] of part) this.#waiting.delete(key);
    }
    return true;
  }

  #run(work: () => unknown): boolean {
    try {
      work();
      return true;
    } catch (error) {
      if (!isBusy(error)) this.report(error);
      return false;
    }
  }
}

/** Hours cover the last day, days the last week; each is kept a little longer than needed. */
const KEPT = [
  { width: HOUR_MS, keptMs: DAY_MS + 2 * HOUR_MS },
  { width: DAY_MS, keptMs: 9 * DAY_MS },
];
const MAX_LOOKBACK_MS = 9 * DAY_MS;
/** A minute's refusals are written completely before it is this old. */
const SETTLED_MS = 5 * MINUTE_MS;
/** Minutes of refusals folded per step. */
const MINUTES_FOLDED = 10;

const FIELDS = rateLimitFields.map((field) => `'${field}'`).join(", ");

const upsert = `INSERT INTO limit_uses (project_id, width_ms, start_ms, model, field, peak, refusals)
  VALUES (?, ?, ?, ?, ?, ?, 0)
  ON CONFLICT DO UPDATE SET peak = max(peak, excluded.peak) WHERE excluded.peak > peak`;

/** Stores peaks with the times at which they were seen, in one transaction. */
function savePeaks(
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
    .get(from, until, MINUTES_FOLDED);
  return firstLeftOut?.minute_ms ?? until;
}
