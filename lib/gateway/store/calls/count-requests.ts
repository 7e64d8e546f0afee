import { setImmediate } from "node:timers/promises";
import { type RawBuilder, sql } from "kysely";
import { DAY_MS, HOUR_MS } from "@/lib/contract/durations";
import { firstIdAt } from "@/lib/contract/ids";
import type { RequestOutcome } from "@/lib/contract/operations/requests";
import { toNano } from "@/lib/money/amount";
import type { CountedSpan, RequestCount, RequestFilter } from "../../requests/request-log-reader";
import type { Database } from "../database";
import { findCallHours, selectSumTable, summedConditions, unsummedCalls } from "./find-call-hours";
import { ID_LEAD_MS } from "./id-lead";
import { buildRefusalConditions } from "./read-unlisted-refusals";
import { type RequestSource, requestSources } from "./request-sources";

/** Calls counted before other requests are served: a few milliseconds at most. */
const COUNTED_AT_ONCE = 5_000;

/** Beyond this many calls, they are counted by the hour from the sums. */
export const MAX_COUNTED = 60_000;

interface Row {
  readonly bucket: number;
  readonly outcome: RequestOutcome;
  readonly calls: number;
  readonly amount: string;
}

/**
 * Counts calls by time and outcome: refused ones from their counters, others one by one or, if there are many, from
 * the sums.
 * @returns null if that would take too long, because the sums are incomplete or can't tell which calls match.
 */
export async function countRequests(
  database: Database,
  filter: RequestFilter,
  span: CountedSpan,
  maxCounted: number,
): Promise<{ widthMs: number; counts: RequestCount[] } | null> {
  const isMany = filter.batchId === undefined && (await areMany(database, span, maxCounted));
  const widthMs = isMany ? Math.max(span.widthMs, HOUR_MS) : span.widthMs;
  const aligned = { fromMs: floor(span.fromMs, widthMs), toMs: span.toMs, widthMs };
  const calls = !isMany
    ? await countOneByOne(database, filter, aligned)
    : areSummed(filter)
      ? await countBySums(database, filter, aligned)
      : await countInTheirHours(database, filter, aligned, maxCounted);
  if (calls === null) return null;
  const rows = [
    ...calls,
    ...(await countUnderWay(database, filter, aligned)),
    ...(await countRefused(database, filter, aligned)),
  ];
  const counts = rows
    .filter(({ bucket }) => bucket >= aligned.fromMs && bucket < aligned.toMs)
    .map(({ bucket, outcome, calls: number, amount }) => ({
      startMs: bucket,
      outcome,
      calls: number,
      amount: toNano(BigInt(amount)),
    }));
  return { widthMs, counts };
}

const floor = (ms: number, widthMs: number) => ms - (ms % widthMs);
const selectBucket = (column: RawBuilder<unknown>, widthMs: number) =>
  sql`${column} - ${column} % ${widthMs} AS bucket`;
const and = (conditions: readonly RawBuilder<unknown>[]) =>
  sql.join(
    conditions.map((condition) => sql`AND ${condition}`),
    sql` `,
  );

/** Whether either all or none of a sum's calls match. */
const areSummed = ({ minAmount, minDurationMs, requestId }: RequestFilter) =>
  (minAmount ?? 0n) <= 0n && minDurationMs === undefined && requestId === undefined;

/** Whether the range has more calls than are counted one by one, found without counting them. */
async function areMany(
  database: Database,
  { fromMs, toMs }: CountedSpan,
  maxCounted: number,
): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`SELECT id FROM ledger_entries
    WHERE id >= ${firstIdAt("txn", fromMs)} AND id < ${firstIdAt("txn", toMs)} ORDER BY id LIMIT 1 OFFSET ${maxCounted}`.execute(
    database,
  );
  return rows.length > 0;
}

/** Counts calls that arrived in the range. With `admitted`: those admitted in it, whose ids may be earlier. */
async function countOneByOne(
  database: Database,
  filter: RequestFilter,
  span: CountedSpan,
  admitted?: "admitted",
): Promise<Row[]> {
  const rows: Row[] = [];
  const looked = admitted ? { ...span, fromMs: Math.max(0, span.fromMs - ID_LEAD_MS) } : span;
  for (const source of requestSources.filter(({ prefix }) => prefix !== "hold_")) {
    const conditions = source.buildConditions(filter);
    if (conditions === null) continue;
    const { atMs } = source;
    const when = admitted ? [sql`${atMs} >= ${span.fromMs}`, sql`${atMs} < ${span.toMs}`] : [];
    for await (const piece of readRanges(database, source, looked, filter)) {
      const result = await sql<Row>`
        SELECT ${selectBucket(atMs, span.widthMs)}, outcome, count(*) AS calls, ${source.amountSum} AS amount
        FROM ${source.table} AS call WHERE id >= ${piece.low} AND id < ${piece.high} AND outcome <> 'refused'
        ${and([...conditions, ...when])} GROUP BY 1, 2`.execute(database);
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
): Promise<Row[] | null> {
  const hours = await findCallHours(database, filter);
  if (hours === null) return null;
  const starts: number[] = [];
  for await (const { startMs } of hours(span, true)) starts.push(startMs);
  const { rows } = await sql<{ calls: number | null }>`SELECT sum(calls) AS calls FROM call_totals
    WHERE width_ms = ${sql.lit(HOUR_MS)} AND start_ms IN (SELECT value FROM json_each(${JSON.stringify(starts)}))`.execute(
    database,
  );
  if ((rows[0]?.calls ?? 0) > maxCounted) return null;
  const counts: Row[] = [];
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
      WHERE id >= ${low} AND id < ${end} ORDER BY id LIMIT 1 OFFSET ${COUNTED_AT_ONCE}`.execute(database);
    const high: string | undefined = next.rows[0]?.id;
    yield { low, high: high ?? end };
    low = high;
  }
}

/** One statement, so that a call that is summed meanwhile is neither missed nor counted twice. */
async function countBySums(
  database: Database,
  filter: RequestFilter,
  span: CountedSpan,
): Promise<Row[] | null> {
  if ((await unsummedCalls(database)) === null) return null;
  const { fromMs, toMs, widthMs } = span;
  const width = widthMs % DAY_MS === 0 ? DAY_MS : HOUR_MS;
  const sumQuery = sql`
    SELECT ${selectBucket(sql`start_ms`, widthMs)}, outcome, sum(calls) AS calls, cast(sum(amount) AS text) AS amount
    FROM ${selectSumTable(filter, width)} WHERE width_ms = ${sql.lit(width)}
      AND start_ms >= ${fromMs} AND start_ms < ${toMs} AND outcome <> 'refused' ${summedConditions(filter)}
    GROUP BY 1, 2`;
  const unsummed = requestSources.flatMap((source) => {
    const conditions = source.buildConditions(filter);
    if (conditions === null || source.prefix === "hold_") return [];
    const beyond =
      source.prefix === "txn_"
        ? sql`seq > (SELECT seq FROM call_sums_end)`
        : sql`id IN (SELECT id FROM unsummed_calls)`;
    return sql`
      SELECT ${selectBucket(source.atMs, widthMs)}, outcome, count(*) AS calls, ${source.amountSum} AS amount
      FROM ${source.table} AS call WHERE ${beyond} AND outcome <> 'refused' ${and(conditions)} GROUP BY 1, 2`;
  });
  const statement = sql<Row>`${sql.join([sumQuery, ...unsummed], sql` UNION ALL `)}`;
  return (await statement.execute(database)).rows;
}

async function countUnderWay(
  database: Database,
  filter: RequestFilter,
  { widthMs }: CountedSpan,
): Promise<Row[]> {
  const holds = requestSources.find(({ prefix }) => prefix === "hold_");
  const conditions = holds?.buildConditions(filter);
  if (!holds || !conditions) return [];
  const { rows } = await sql<Row>`
    SELECT ${selectBucket(holds.atMs, widthMs)}, 'in_progress' AS outcome, count(*) AS calls, '0' AS amount
    FROM holds AS call WHERE true ${and(conditions)} GROUP BY 1`.execute(database);
  return rows;
}

async function countRefused(database: Database, filter: RequestFilter, span: CountedSpan): Promise<Row[]> {
  const conditions = buildRefusalConditions(filter);
  if (conditions === null) return [];
  const { rows } = await sql<Row>`
    SELECT ${selectBucket(sql`minute_ms`, span.widthMs)}, 'refused' AS outcome, sum(refusals) AS calls, '0' AS amount
    FROM refusal_counts WHERE minute_ms >= ${span.fromMs} AND minute_ms < ${span.toMs} ${conditions} GROUP BY 1`.execute(
    database,
  );
  return rows;
}
