import { DAY_MS, HOUR_MS } from "@/lib/contract/durations";
import type { Database } from "../../database/database";
import { type Dialect, dialectOf, type Fragment, sql } from "../../database/fragment";
import { chooseDayIndex } from "../usage/range-query.sql";
import type { RequestFilter } from "./request-record";
import { buildCommonConditions } from "./request-sources.sql";

/** If more charges or other calls than these are unsummed, they are scanned like the rest. */
const MAX_CHARGES = 5_000;
const MAX_OTHER_CALLS = 500;
/** If unsummed calls lie in more hours than these, knowing the hours doesn't help. */
const MAX_HOURS = 48;
/** Charges scanned before other requests are served. */
const BATCH_SIZE = 500;

/** An hour that can contain matching calls. */
interface CallHour {
  readonly startMs: number;
  /** How many calls the sums have of it, matching ones and others; null if some of its calls are not summed yet. */
  readonly calls: number | null;
}

/** The order in which calls are read, by their times. */
export type ScanOrder = "ascending" | "descending";

/** The hours between two times, in either order. */
type CallHours = (
  range: { readonly fromMs: number; readonly toMs: number },
  order: ScanOrder,
) => AsyncGenerator<CallHour>;

/**
 * Finds the hours that may contain matching calls, from the sums and from calls that are not summed yet.
 * @returns null if too much is unsummed, so that nothing is known.
 */
export async function findCallHours(database: Database, filter: RequestFilter): Promise<CallHours | null> {
  const unsummed = await unsummedCalls(database);
  if (unsummed === null) return null;
  const recent = await listHoursBeyondSums(database, unsummed.seq);
  if (recent.length > MAX_HOURS) return null;
  return async function* ({ fromMs, toMs }, order) {
    const summedDays = new Set(await findDays(database, filter, { fromMs: fromMs - DAY_MS, toMs }));
    const days = new Set([...summedDays, ...recent.map((hour) => hour - (hour % DAY_MS))]);
    for (const day of inOrder([...days], order)) {
      const callsByHour: Map<number, number | null> = summedDays.has(day)
        ? await findHours(database, filter, day)
        : new Map();
      for (const hour of recent) if (hour >= day && hour < day + DAY_MS) callsByHour.set(hour, null);
      for (const startMs of inOrder([...callsByHour.keys()], order)) {
        if (startMs + HOUR_MS > fromMs && startMs < toMs)
          yield { startMs, calls: callsByHour.get(startMs) ?? null };
      }
    }
  };
}

/** The last entry in the sums; null if so many entries followed that they are scanned like the rest. */
export async function unsummedCalls(database: Database): Promise<{ readonly seq: number } | null> {
  const { rows } = await sql<{ seq: number; charges: number; others: number }>`
    SELECT seq, (SELECT coalesce(max(seq), 0) FROM ledger_entries) - seq AS charges,
      (SELECT count(*) FROM (SELECT 1 FROM unsummed_calls LIMIT ${MAX_OTHER_CALLS}) AS noted) AS others
    FROM call_sums_end`.execute(database);
  const [end] = rows;
  return !end || end.charges >= MAX_CHARGES || end.others >= MAX_OTHER_CALLS ? null : { seq: end.seq };
}

const inOrder = (times: readonly number[], order: ScanOrder) =>
  times.toSorted((one, other) => (order === "ascending" ? one - other : other - one));

/** The hours of calls that are not summed yet, and of those in progress. */
async function listHoursBeyondSums(database: Database, seq: number): Promise<number[]> {
  const otherHours = await sql<{ hour: number }>`
    SELECT at_ms - at_ms % ${HOUR_MS} AS hour FROM uncharged_calls WHERE id IN (SELECT id FROM unsummed_calls)
    UNION SELECT created_at_ms - created_at_ms % ${HOUR_MS} FROM holds`.execute(database);
  const hours = new Set(otherHours.rows.map(({ hour }) => hour));
  for (let from = seq, last: number | null = seq; last !== null; from += BATCH_SIZE) {
    const charges = await sql<{ hour: number | null; last: number | null }>`
      SELECT DISTINCT started_at_ms - started_at_ms % ${HOUR_MS} AS hour, max(seq) OVER () AS last FROM ledger_entries
      WHERE seq > ${from} AND seq <= ${from + BATCH_SIZE}`.execute(database);
    for (const { hour } of charges.rows) if (hour !== null) hours.add(hour);
    last = charges.rows[0]?.last ?? null;
  }
  return [...hours];
}

/** The table of sums of a width in which matching calls are counted. */
export function selectSumTable(dialect: Dialect, filter: RequestFilter, widthMs: number): Fragment<unknown> {
  if (isUnfiltered(filter)) return sql`call_totals`;
  return sql`call_sums ${widthMs === DAY_MS ? chooseDayIndex(dialect, filter) : sql``}`;
}

/** Whether the day's few totals suffice, since the filter names no project, key, model or provider. */
const isUnfiltered = ({ projectIds, model, provider, keyIds }: RequestFilter) =>
  projectIds === null && model === undefined && provider === undefined && keyIds === undefined;

async function findDays(
  database: Database,
  filter: RequestFilter,
  { fromMs, toMs }: { fromMs: number; toMs: number },
): Promise<number[]> {
  const { rows } = await sql<{ start_ms: number }>`
    SELECT DISTINCT start_ms FROM ${selectSumTable(dialectOf(database), filter, DAY_MS)}
    WHERE width_ms = ${sql.lit(DAY_MS)} AND start_ms > ${fromMs} AND start_ms < ${toMs} ${buildSumConditions(filter)}`.execute(
    database,
  );
  return rows.map(({ start_ms }) => start_ms);
}

/** The hours of a day with matching calls, and how many calls each has in all. */
async function findHours(
  database: Database,
  filter: RequestFilter,
  day: number,
): Promise<Map<number, number | null>> {
  const { rows } = await sql<{ start_ms: number; calls: number }>`
    SELECT start_ms, (SELECT sum(calls) FROM call_totals
      WHERE call_totals.width_ms = ${HOUR_MS} AND call_totals.start_ms = found.start_ms) AS calls
    FROM (SELECT DISTINCT start_ms FROM ${selectSumTable(dialectOf(database), filter, HOUR_MS)}
      WHERE width_ms = ${HOUR_MS} AND start_ms >= ${day} AND start_ms < ${day + DAY_MS} ${buildSumConditions(filter)}) AS found`.execute(
    database,
  );
  return new Map(rows.map(({ start_ms, calls }) => [start_ms, calls]));
}

/** The condition on a sum that can contain matching calls. */
export function buildSumConditions(filter: RequestFilter): Fragment<unknown> {
  const { outcome, refusedBy, status, minAmount, minDurationMs } = filter;
  const conditions = [
    ...buildCommonConditions(filter),
    ...(outcome === undefined ? [] : [sql`outcome = ${outcome}`]),
    ...(refusedBy === undefined ? [] : [sql`refused_by = ${refusedBy}`]),
    ...(status === undefined ? [] : [sql`status = ${status}`]),
    ...(minAmount === undefined ? [] : [sql`max_amount >= cast(${String(minAmount)} AS bigint)`]),
    ...(minDurationMs === undefined ? [] : [sql`max_duration_ms >= ${minDurationMs}`]),
  ];
  return sql.join(
    conditions.map((condition) => sql`AND ${condition}`),
    sql` `,
  );
}
