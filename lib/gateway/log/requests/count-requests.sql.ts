import { setImmediate } from "node:timers/promises";
import { HOUR_MS } from "@/lib/contract/durations";
import { firstIdAt } from "@/lib/contract/ids";
import type { RequestOutcome } from "@/lib/contract/operations/calls/requests";
import { toNano } from "@/lib/money/amount";
import type { Database } from "../../database/database";
import { type Dialect, dialectOf, type Fragment, sql } from "../../database/fragment";
import { minutesWholeAt } from "../sums/minute-sums.sql";
import { cutIntoSpans, type UsageSpan } from "../usage/range-query.sql";
import { buildSumConditions, findCallHours, selectSumTable, unsummedCalls } from "./call-hours.sql";
import type { CountedSpan, RequestCount, RequestFilter } from "./request-record";
import { ID_LEAD_MS, type RequestSource, requestSources } from "./request-sources.sql";
import { buildRefusalConditions } from "./unlisted-refusals.sql";

/** Calls counted before other requests are served: a few milliseconds at most. */
const BATCH_SIZE = 5_000;

/** Beyond this many calls, they are counted by the hour from the sums. */
export const MAX_COUNTED = 60_000;

/**
 * Counts calls by time and outcome: refused ones from their counters, others from the sums as far as these can tell
 * which match, and one by one beyond.
 * @returns null if that would take too long, because the sums are incomplete or can't tell which calls match.
 */
export async function countRequests(
  database: Database,
  filter: RequestFilter,
  asked: CountedSpan,
  maxCounted: number,
): Promise<{ widthMs: number; counts: RequestCount[] } | null> {
  const counted = await countEnded(database, filter, asked, maxCounted);
  if (counted === null) return null;
  const { span, calls } = counted;
  const rows = [
    ...calls,
    ...(await countUnderWay(database, filter, span)),
    ...(await countRefused(database, filter, span)),
  ];
  const { fromMs, toMs, widthMs } = span;
  const counts = rows
    .filter(({ bucket }) => bucket >= fromMs && bucket < toMs)
    .map(({ bucket, outcome, calls: number, amount }) => ({
      startMs: bucket,
      outcome,
      calls: number,
      amount: toNano(BigInt(amount)),
    }));
  return { widthMs, counts };
}

/** Counts calls that ended, in buckets as wide as asked, or by the hour if that would take too long. */
async function countEnded(
  database: Database,
  filter: RequestFilter,
  asked: CountedSpan,
  maxCounted: number,
): Promise<{ span: CountedSpan; calls: CountRow[] } | null> {
  const isSummed = areSummed(filter);
  const askedSpan = align(asked, asked.widthMs);
  const summed = isSummed ? await countBySums(database, filter, askedSpan, false) : null;
  if (summed) return { span: askedSpan, calls: summed };
  if (filter.batchId !== undefined || !(await hasMoreCalls(database, asked, maxCounted)))
    return { span: askedSpan, calls: await countOneByOne(database, filter, askedSpan) };
  const span = align(asked, Math.max(asked.widthMs, HOUR_MS));
  const calls = isSummed
    ? await countBySums(database, filter, span, true)
    : await countInTheirHours(database, filter, span, maxCounted);
  return calls && { span, calls };
}

const align = ({ fromMs, toMs }: CountedSpan, widthMs: number): CountedSpan => ({
  fromMs: floor(fromMs, widthMs),
  toMs,
  widthMs,
});

const floor = (ms: number, widthMs: number) => ms - (ms % widthMs);

/** Whether the filter takes or leaves each sum as a whole: it never matches only some of a sum's calls. */
const areSummed = ({ minAmount, minDurationMs, requestId, batchId }: RequestFilter) =>
  (minAmount ?? 0n) <= 0n && [minDurationMs, requestId, batchId].every((value) => value === undefined);

/** Counts calls that arrived in the range. With `admitted`: calls admitted in it, which may have arrived before it. */
async function countOneByOne(
  database: Database,
  filter: RequestFilter,
  span: CountedSpan,
  admitted?: "admitted",
): Promise<CountRow[]> {
  const rows: CountRow[] = [];
  const looked = admitted ? { ...span, fromMs: Math.max(0, span.fromMs - ID_LEAD_MS) } : span;
  for (const source of requestSources.filter(({ prefix }) => prefix !== "hold_")) {
    const conditions = source.buildConditions(filter);
    if (conditions === null) continue;
    const { atMs } = source;
    const when = admitted ? [sql`${atMs} >= ${span.fromMs}`, sql`${atMs} < ${span.toMs}`] : [];
    for await (const piece of readRanges(database, source, looked, filter)) {
      const result = await sql<CountRow>`
        SELECT ${selectBucket(atMs, span.widthMs)}, outcome, count(*) AS calls, ${source.amountSum} AS amount
        FROM ${source.table} AS call WHERE id >= ${piece.low} AND id < ${piece.high} AND outcome <> 'refused'
        ${joinConditions([...conditions, ...when])} GROUP BY 1, 2`.execute(database);
      rows.push(...result.rows);
    }
  }
  return rows;
}

/**
 * Counts one by one, but only within hours that can contain matching calls: those with a call of that cost or duration.
 * @returns null if these hours have too many calls.
 */
async function countInTheirHours(
  database: Database,
  filter: RequestFilter,
  span: CountedSpan,
  maxCounted: number,
): Promise<CountRow[] | null> {
  const hours = await findCallHours(database, filter);
  if (hours === null) return null;
  const starts: number[] = [];
  let summedCalls = 0;
  for await (const { startMs, calls } of hours(span, "ascending")) {
    starts.push(startMs);
    summedCalls += calls ?? 0;
    if (summedCalls > maxCounted) return null;
  }
  if ((await countSummed(database, starts)) > maxCounted) return null;
  const counts: CountRow[] = [];
  for (const startMs of starts) {
    const hour = {
      fromMs: Math.max(span.fromMs, startMs),
      toMs: Math.min(span.toMs, startMs + HOUR_MS),
      widthMs: span.widthMs,
    };
    counts.push(...(await countOneByOne(database, filter, hour, "admitted")));
  }
  return counts;
}

/** All calls that the sums have of these hours. */
async function countSummed(database: Database, starts: readonly number[]): Promise<number> {
  const { rows } = await sql<{ calls: number | null }>`SELECT sum(calls) AS calls FROM call_totals
    WHERE width_ms = ${sql.lit(HOUR_MS)} AND ${dialectOf(database).isListed(sql`start_ms`, starts)}`.execute(
    database,
  );
  return rows[0]?.calls ?? 0;
}

/** The ids of a range, in pieces of some thousands. A batch's calls, which have an index, are one piece. */
async function* readRanges(
  database: Database,
  { table, prefix }: RequestSource,
  { fromMs, toMs }: CountedSpan,
  { batchId }: RequestFilter,
): AsyncGenerator<{ readonly low: string; readonly high: string }> {
  const kind = prefix === "txn_" ? "txn" : "req";
  const end = firstIdAt(kind, toMs);
  if (batchId !== undefined) return yield { low: firstIdAt(kind, fromMs), high: end };
  for (
    let low: string | undefined = firstIdAt(kind, fromMs);
    low !== undefined && low < end;
    await setImmediate()
  ) {
    const next: { rows: { id: string }[] } = await sql<{ id: string }>`SELECT id FROM ${table}
      WHERE id >= ${low} AND id < ${end} ORDER BY id LIMIT 1 OFFSET ${BATCH_SIZE}`.execute(database);
    const high: string | undefined = next.rows[0]?.id;
    yield { low, high: high ?? end };
    low = high;
  }
}

async function countUnderWay(
  database: Database,
  filter: RequestFilter,
  { widthMs }: CountedSpan,
): Promise<CountRow[]> {
  const holds = requestSources.find(({ prefix }) => prefix === "hold_");
  const conditions = holds?.buildConditions(filter);
  if (!holds || !conditions) return [];
  const { rows } = await sql<CountRow>`
    SELECT ${selectBucket(holds.atMs, widthMs)}, 'in_progress' AS outcome, count(*) AS calls, '0' AS amount
    FROM holds AS call WHERE true ${joinConditions(conditions)} GROUP BY 1`.execute(database);
  return rows;
}

async function countRefused(
  database: Database,
  filter: RequestFilter,
  span: CountedSpan,
): Promise<CountRow[]> {
  const conditions = buildRefusalConditions(filter);
  if (conditions === null) return [];
  const { rows } = await sql<CountRow>`
    SELECT ${selectBucket(sql`minute_ms`, span.widthMs)}, 'refused' AS outcome, sum(refusals) AS calls, '0' AS amount
    FROM refusal_counts WHERE minute_ms >= ${span.fromMs} AND minute_ms < ${span.toMs} ${conditions} GROUP BY 1`.execute(
    database,
  );
  return rows;
}

/** Calls at the ends of the range that are counted one by one: a few milliseconds at most. */
const MAX_AT_ENDS = 5_000;

/**
 * Counts from sums of days, hours and minutes, and one by one at the ends that no sum fits.
 * @param isEndRounded whether the last sums may contain calls after the end.
 * @returns null if too many calls are not summed, or have no sums that narrow.
 */
async function countBySums(
  database: Database,
  filter: RequestFilter,
  { fromMs, toMs, widthMs }: CountedSpan,
  isEndRounded: boolean,
): Promise<CountRow[] | null> {
  if ((await unsummedCalls(database)) === null) return null;
  const { minutes_deleted_until_ms } = await database
    .selectFrom("call_sums_end")
    .select("minutes_deleted_until_ms")
    .executeTakeFirstOrThrow();
  const minutesFromMs = minutesWholeAt(await lastWrittenMs(database), minutes_deleted_until_ms);
  const spans = cutIntoSpans({ fromMs, toMs, isUntilNow: isEndRounded }, widthMs, minutesFromMs);
  for (const span of spans)
    if (span.sumWidthMs === null && (await hasMoreCalls(database, span, MAX_AT_ENDS))) return null;
  const parts = spans.flatMap((span) =>
    span.sumWidthMs === null
      ? selectCalls(filter, widthMs, (source) => isInSpan(source, span))
      : [selectSums(dialectOf(database), filter, { ...span, sumWidthMs: span.sumWidthMs }, widthMs)],
  );
  const sumSpans = spans.filter(({ sumWidthMs }) => sumWidthMs !== null);
  const unsummed = selectCalls(filter, widthMs, (source) => isUnsummedIn(source, sumSpans));
  // One statement, so that a call that is summed meanwhile is neither missed nor counted twice.
  const statement = sql<CountRow>`${sql.join([...parts, ...unsummed], sql` UNION ALL `)}`;
  return parts.length === 0 ? [] : (await statement.execute(database)).rows;
}

async function lastWrittenMs(database: Database): Promise<number> {
  const last = await database
    .selectFrom("ledger_entries")
    .select("created_at_ms")
    .orderBy("seq", "desc")
    .limit(1)
    .executeTakeFirst();
  return last?.created_at_ms ?? 0;
}

type SumSpan = UsageSpan & { readonly sumWidthMs: number };

function selectSums(
  dialect: Dialect,
  filter: RequestFilter,
  span: SumSpan,
  widthMs: number,
): Fragment<unknown> {
  const { fromMs, toMs, sumWidthMs } = span;
  const starts = Array.from(
    { length: (toMs - fromMs) / sumWidthMs },
    (_, index) => fromMs + index * sumWidthMs,
  );
  // The key of the sums begins with the start and the project, so that each project's sums are found without those
  // between.
  const times =
    filter.projectIds === null
      ? sql`start_ms >= ${fromMs} AND start_ms < ${toMs}`
      : dialect.isListed(sql`start_ms`, starts);
  return sql`
    SELECT ${selectBucket(sql`start_ms`, widthMs)}, outcome, sum(calls) AS calls, cast(sum(amount) AS text) AS amount
    FROM ${selectSumTable(dialect, filter, sumWidthMs)} WHERE width_ms = ${sql.lit(sumWidthMs)} AND ${times}
      AND outcome <> 'refused' ${buildSumConditions(filter)} GROUP BY 1, 2`;
}

function selectCalls(
  filter: RequestFilter,
  widthMs: number,
  buildCondition: (source: RequestSource) => Fragment<unknown>,
): Fragment<unknown>[] {
  return requestSources.flatMap((source) => {
    const conditions = source.buildConditions(filter);
    if (conditions === null || source.prefix === "hold_") return [];
    return sql`
      SELECT ${selectBucket(source.atMs, widthMs)}, outcome, count(*) AS calls, ${source.amountSum} AS amount
      FROM ${source.table} AS call WHERE ${buildCondition(source)} AND outcome <> 'refused' ${joinConditions(conditions)}
      GROUP BY 1, 2`;
  });
}

function isInSpan({ prefix, atMs }: RequestSource, { fromMs, toMs }: UsageSpan): Fragment<unknown> {
  const kind = prefix === "txn_" ? "txn" : "req";
  return sql`id >= ${firstIdAt(kind, Math.max(0, fromMs - ID_LEAD_MS))} AND id < ${firstIdAt(kind, toMs)}
    AND ${atMs} >= ${fromMs} AND ${atMs} < ${toMs}`;
}

function isUnsummedIn({ prefix, atMs }: RequestSource, spans: readonly UsageSpan[]): Fragment<unknown> {
  const isUnsummed =
    prefix === "txn_"
      ? sql`seq > (SELECT seq FROM call_sums_end)`
      : sql`id IN (SELECT id FROM unsummed_calls)`;
  const times = spans.map(({ fromMs, toMs }) => sql`(${atMs} >= ${fromMs} AND ${atMs} < ${toMs})`);
  return sql`${isUnsummed} AND (${times.length === 0 ? sql`false` : sql.join(times, sql` OR `)})`;
}

/** The calls of a bucket and an outcome. */
interface CountRow {
  readonly bucket: number;
  readonly outcome: RequestOutcome;
  readonly calls: number;
  readonly amount: string;
}

const selectBucket = (column: Fragment<unknown>, widthMs: number) =>
  sql`${column} - ${column} % ${widthMs} AS bucket`;

const joinConditions = (conditions: readonly Fragment<unknown>[]) =>
  sql.join(
    conditions.map((condition) => sql`AND ${condition}`),
    sql` `,
  );

/** Whether the range has more charged calls than `max`, found without counting them. */
async function hasMoreCalls(
  database: Database,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
  max: number,
): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`SELECT id FROM ledger_entries
    WHERE id >= ${firstIdAt("txn", fromMs)} AND id < ${firstIdAt("txn", toMs)} ORDER BY id LIMIT 1 OFFSET ${max}`.execute(
    database,
  );
  return rows.length > 0;
}
