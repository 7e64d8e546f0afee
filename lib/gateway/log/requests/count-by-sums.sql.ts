import { type RawBuilder, sql } from "kysely";
import { firstIdAt } from "@/lib/contract/ids";
import type { Database } from "../../database/database";
import type { CountedSpan, RequestFilter } from "../request-log-reader";
import { minutesWholeAt } from "../sums/minute-sums.sql";
import { cutIntoSpans, type UsageSpan } from "../usage/usage-spans";
import { type CountRow, hasMoreCalls, joinConditions, selectBucket } from "./counted-calls.sql";
import { buildSumConditions, selectSumTable, unsummedCalls } from "./find-call-hours";
import { ID_LEAD_MS } from "./id-lead";
import { type RequestSource, requestSources } from "./request-sources";

/** Calls at the ends of the range that are counted one by one: a few milliseconds at most. */
const MAX_AT_ENDS = 5_000;

/**
 * Counts from sums of days, hours and minutes, and one by one at the ends that no sum fits.
 * @param isEndRounded whether the last sums may contain calls after the end.
 * @returns null if too many calls are not summed, or have no sums that narrow.
 */
export async function countBySums(
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
      : [selectSums(filter, { ...span, sumWidthMs: span.sumWidthMs }, widthMs)],
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

function selectSums(filter: RequestFilter, span: SumSpan, widthMs: number): RawBuilder<unknown> {
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
      : sql`start_ms IN (SELECT value FROM json_each(${JSON.stringify(starts)}))`;
  return sql`
    SELECT ${selectBucket(sql`start_ms`, widthMs)}, outcome, sum(calls) AS calls, cast(sum(amount) AS text) AS amount
    FROM ${selectSumTable(filter, sumWidthMs)} WHERE width_ms = ${sql.lit(sumWidthMs)} AND ${times}
      AND outcome <> 'refused' ${buildSumConditions(filter)} GROUP BY 1, 2`;
}

function selectCalls(
  filter: RequestFilter,
  widthMs: number,
  buildCondition: (source: RequestSource) => RawBuilder<unknown>,
): RawBuilder<unknown>[] {
  return requestSources.flatMap((source) => {
    const conditions = source.buildConditions(filter);
    if (conditions === null || source.prefix === "hold_") return [];
    return sql`
      SELECT ${selectBucket(source.atMs, widthMs)}, outcome, count(*) AS calls, ${source.amountSum} AS amount
      FROM ${source.table} AS call WHERE ${buildCondition(source)} AND outcome <> 'refused' ${joinConditions(conditions)}
      GROUP BY 1, 2`;
  });
}

function isInSpan({ prefix, atMs }: RequestSource, { fromMs, toMs }: UsageSpan): RawBuilder<unknown> {
  const kind = prefix === "txn_" ? "txn" : "req";
  return sql`id >= ${firstIdAt(kind, Math.max(0, fromMs - ID_LEAD_MS))} AND id < ${firstIdAt(kind, toMs)}
    AND ${atMs} >= ${fromMs} AND ${atMs} < ${toMs}`;
}

function isUnsummedIn({ prefix, atMs }: RequestSource, spans: readonly UsageSpan[]): RawBuilder<unknown> {
  const isUnsummed =
    prefix === "txn_"
      ? sql`seq > (SELECT seq FROM call_sums_end)`
      : sql`id IN (SELECT id FROM unsummed_calls)`;
  const times = spans.map(({ fromMs, toMs }) => sql`(${atMs} >= ${fromMs} AND ${atMs} < ${toMs})`);
  return sql`${isUnsummed} AND (${times.length === 0 ? sql`false` : sql.join(times, sql` OR `)})`;
}
