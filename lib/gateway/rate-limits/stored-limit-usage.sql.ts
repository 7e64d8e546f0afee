import { setTimeout as sleep } from "node:timers/promises";
import { rateLimitFields } from "@/lib/contract/calls/rate-limit-table";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/contract/durations";
import type { Database } from "../database/database";
import { dialectOf, type Fragment, sql } from "../database/fragment";
import { claimSums, isBusy } from "../log/sums/claim-sums.sql";
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
  /** The end of the last write. One follows the other. */
  #written: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly queries: Database,
    private readonly report: (error: unknown) => void,
  ) {}

  async add(atMs: number, peaks: readonly LimitPeak[]): Promise<void> {
    for (const peak of peaks) {
      const key = nameHour(atMs, peak);
      const existing = this.#waiting.get(key);
      if (!existing || existing.peak.peak < peak.peak) this.#waiting.set(key, { atMs, peak });
    }
    await this.#inTurn(() => this.#writePeaks());
  }

  /** Writes what is queued. */
  async write(nowMs: number): Promise<void> {
    await this.#inTurn(async () => {
      if (!(await this.#writePeaks())) return;
      await this.#run(() => foldRefusals(this.queries, nowMs));
      if (nowMs - this.#forgotAtMs < HOUR_MS) return;
      if (await this.#run(() => pruneLimitUsage(this.queries, nowMs))) this.#forgotAtMs = nowMs;
    });
  }

  /** Tries for half a second to write what is queued. */
  async end(): Promise<void> {
    const write = () => this.#inTurn(() => this.#writePeaks());
    for (let tries = 0; !(await write()) && tries < TRIES_AT_END; tries++) await sleep(REST_MS);
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#written.then(work);
    this.#written = done.catch(() => {});
    return done;
  }

  /** @returns whether the queue is empty. */
  async #writePeaks(): Promise<boolean> {
    const waitingPeaks = [...this.#waiting.values()];
    for (let from = 0; from < waitingPeaks.length; from += PEAKS_PER_TRANSACTION) {
      const part = waitingPeaks.slice(from, from + PEAKS_PER_TRANSACTION);
      if (!(await this.#run(() => savePeaks(this.queries, part)))) return false;
      for (const written of part) {
        const key = nameHour(written.atMs, written.peak);
        // A higher peak that was added meanwhile stays.
        if (this.#waiting.get(key) === written) this.#waiting.delete(key);
      }
    }
    return true;
  }

  async #run(work: () => Promise<unknown>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      if (!isBusy(error)) this.report(error);
      return false;
    }
  }
}

const nameHour = (atMs: number, { projectId, field, model }: LimitPeak) =>
  `${Math.floor(atMs / HOUR_MS)} ${projectId} ${field} ${model}`;

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

const IS_LIMIT = sql`refused_by IN (${sql.join(rateLimitFields.map((field) => sql.lit(field)))})`;

/** Stores peaks with the times at which they were seen, in one statement. */
async function savePeaks(
  queries: Database,
  samples: readonly { readonly atMs: number; readonly peak: LimitPeak }[],
): Promise<void> {
  const highest = new Map<string, object & { readonly peak: number }>();
  for (const { atMs, peak } of samples) {
    for (const { width } of KEPT) {
      const row = {
        project_id: peak.projectId,
        width_ms: width,
        start_ms: atMs - (atMs % width),
        model: peak.model,
        field: peak.field,
      };
      const key = JSON.stringify(row);
      const value = Math.ceil(peak.peak);
      if ((highest.get(key)?.peak ?? -1) < value) highest.set(key, { ...row, peak: value });
    }
  }
  const given = dialectOf(queries).givenRows([...highest.values()], {
    project_id: "text",
    width_ms: "integer",
    start_ms: "integer",
    model: "text",
    field: "text",
    peak: "integer",
  });
  await sql`
    INSERT INTO limit_uses (project_id, width_ms, start_ms, model, field, peak, refusals)
    SELECT project_id, width_ms, start_ms, model, field, peak, 0 FROM ${given} WHERE true
    ON CONFLICT (project_id, width_ms, start_ms, model, field) DO UPDATE SET peak = excluded.peak
    WHERE excluded.peak > limit_uses.peak`.execute(queries);
}

/**
 * Adds the refusals of a few completed minutes to the hours and days. The counts and the progress change in one
 * transaction.
 * @returns whether there may be more.
 */
export function foldRefusals(queries: Database, nowMs: number): Promise<boolean> {
  const settledUntilMs = nowMs - SETTLED_MS;
  const until = settledUntilMs - (settledUntilMs % MINUTE_MS);
  return queries.transaction().execute(async (transaction) => {
    await claimSums(transaction);
    const from = Math.max(await readFoldedUntil(transaction), until - MAX_LOOKBACK_MS);
    if (from >= until) return false;
    const next = await findBatchEnd(transaction, from, until);
    for (const { width } of KEPT) {
      const widthMs = sql.lit(width);
      await sql`
        INSERT INTO limit_uses (project_id, width_ms, start_ms, model, field, peak, refusals)
        SELECT project_id, ${widthMs}, minute_ms - minute_ms % ${widthMs}, model, refused_by, 0, sum(refusals)
        FROM refusal_counts WHERE minute_ms >= ${from} AND minute_ms < ${next} AND ${IS_LIMIT} GROUP BY 1, 3, 4, 5
        ON CONFLICT (project_id, width_ms, start_ms, model, field)
        DO UPDATE SET refusals = limit_uses.refusals + excluded.refusals`.execute(transaction);
    }
    await transaction.updateTable("limit_uses_end").set({ minute_ms: next }).execute();
    return next < until;
  });
}

/** Deletes hours and days that are no longer needed. */
export async function pruneLimitUsage(queries: Database, nowMs: number): Promise<void> {
  for (const { width, keptMs } of KEPT)
    await queries
      .deleteFrom("limit_uses")
      .where("width_ms", "=", width)
      .where("start_ms", "<", nowMs - keptMs)
      .execute();
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
export async function readLimitHistory(
  queries: Database,
  projectIds: readonly string[] | null,
  nowMs: number,
): Promise<LimitHistory[]> {
  const inProjects = buildProjectsCondition(queries, projectIds);
  const [hour, day] = [sql.lit(HOUR_MS), sql.lit(DAY_MS)];
  const weekAgo = nowMs - (nowMs % DAY_MS) - 7 * DAY_MS;
  const foldedUntil = await readFoldedUntil(queries);
  const selectUnfolded = (width: Fragment<unknown>, fromMs: number) => sql`
    SELECT project_id, ${width} AS width_ms, model, refused_by AS field, 0 AS peak, refusals FROM refusal_counts
    WHERE minute_ms >= ${Math.max(foldedUntil, fromMs)} AND ${IS_LIMIT} ${inProjects}`;
  const { rows } = await sql<PastRow>`
    SELECT project_id, model, field,
      coalesce(max(peak) FILTER (WHERE width_ms = ${hour}), 0) AS peak_day,
      coalesce(max(peak) FILTER (WHERE width_ms = ${day}), 0) AS peak_week,
      coalesce(sum(refusals) FILTER (WHERE width_ms = ${hour}), 0) AS refusals_day,
      coalesce(sum(refusals) FILTER (WHERE width_ms = ${day}), 0) AS refusals_week
    FROM (
      SELECT project_id, width_ms, model, field, peak, refusals FROM limit_uses
      WHERE ((width_ms = ${hour} AND start_ms >= ${dayAgo(nowMs)}) OR (width_ms = ${day} AND start_ms >= ${weekAgo}))
        ${inProjects}
      UNION ALL ${selectUnfolded(hour, dayAgo(nowMs))}
      UNION ALL ${selectUnfolded(day, weekAgo)}
    ) AS uses GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`.execute(queries);
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
export async function readLimitDay(
  queries: Database,
  projectIds: readonly string[] | null,
  nowMs: number,
): Promise<LimitDay[]> {
  const inProjects = buildProjectsCondition(queries, projectIds);
  const unfoldedMs = Math.max(dayAgo(nowMs), await readFoldedUntil(queries));
  const { rows } = await sql<LimitDay>`
    SELECT project_id AS "projectId", model, field, max(peak) AS peak, sum(refusals) AS refusals
    FROM (
      SELECT project_id, model, field, peak, refusals FROM limit_uses
      WHERE width_ms = ${sql.lit(HOUR_MS)} AND start_ms >= ${dayAgo(nowMs)} ${inProjects}
      UNION ALL
      SELECT project_id, model, refused_by AS field, 0 AS peak, refusals FROM refusal_counts
      WHERE minute_ms >= ${unfoldedMs} AND ${IS_LIMIT} ${inProjects}
    ) AS uses GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`.execute(queries);
  return rows;
}

const buildProjectsCondition = (queries: Database, projectIds: readonly string[] | null) =>
  projectIds === null ? sql`` : sql`AND ${dialectOf(queries).isListed(sql`project_id`, projectIds)}`;

/** The hour that began 24 hours before the present one. */
const dayAgo = (nowMs: number) => nowMs - (nowMs % HOUR_MS) - DAY_MS;

async function readFoldedUntil(queries: Database): Promise<number> {
  const row = await queries.selectFrom("limit_uses_end").select("minute_ms").executeTakeFirst();
  return row?.minute_ms ?? 0;
}

/** Where a batch of minutes with refusals that begins at `from` ends; `until` if there are no more of them. */
async function findBatchEnd(queries: Database, from: number, until: number): Promise<number> {
  const firstLeftOut = await queries
    .selectFrom("refusal_counts")
    .select("minute_ms")
    .distinct()
    .where("minute_ms", ">=", from)
    .where("minute_ms", "<", until)
    .orderBy("minute_ms")
    .limit(1)
    .offset(MINUTES_FOLDED)
    .executeTakeFirst();
  return firstLeftOut?.minute_ms ?? until;
}
