import { DAY_MS, HOUR_MS } from "@/lib/contract/durations";
import { firstIdAt } from "@/lib/contract/ids";
import type { UsageDimension } from "@/lib/contract/operations/usage/usage-summary";
import type { Database } from "../../database/database";
import { type Dialect, dialectOf, type Fragment, sql } from "../../database/fragment";
import { ID_LEAD_MS } from "../requests/request-sources.sql";
import { readSumProgress } from "../sums/sum-progress.sql";
import type { SumDimension } from "../sums/sum-schema";
import {
  buildCondition,
  buildGroupColumn,
  buildPlaceColumns,
  chooseDayIndex,
  cutIntoSpans,
  dimensionColumns,
  type RangeQuery,
  type UsagePart,
  type UsageSpan,
} from "./range-query.sql";

/** If more charges than this are unsummed, they are left out and reported as pending. */
const MAX_UNSUMMED = 20_000;

/** Returns the row sources of a query. Each call is in exactly one of them. */
export async function readUsageParts(
  queries: Database,
  query: RangeQuery,
): Promise<{ parts: UsagePart[]; pendingCalls: number }> {
  const dialect = dialectOf(queries);
  const { lastEntry, lastSummedEntry, minutesWholeFromMs } = await readSumProgress(queries);
  const unsummed = lastEntry - lastSummedEntry;
  const hasPending = unsummed > MAX_UNSUMMED;
  const parts: UsagePart[] = [];
  for (const span of cutIntoSpans(query, query.widthMs, minutesWholeFromMs)) {
    if (span.sumWidthMs === null) {
      parts.push(...buildCallParts(dialect, query, span, ({ kind }) => byTime(kind, span)));
      continue;
    }
    parts.push(...(await readSumParts(queries, query, { ...span, width: span.sumWidthMs })));
    if (!hasPending)
      parts.push(
        ...buildCallParts(dialect, query, span, ({ kind }) => unsummedBeyond(kind, lastSummedEntry)),
      );
  }
  return { parts, pendingCalls: hasPending ? unsummed : 0 };
}

/** The tables of ended calls. Each call has an id with the table's prefix. */
const sources = [
  { rows: "charges", kind: "txn", table: "ledger_entries", at: "started_at_ms", is: sql`kind = 'charge'` },
  { rows: "others", kind: "req", table: "uncharged_calls", at: "at_ms", is: sql`outcome <> 'refused'` },
] as const;
type Source = (typeof sources)[number];

function buildCallParts(
  dialect: Dialect,
  query: RangeQuery,
  { fromMs, toMs }: UsageSpan,
  among: (source: Source) => Fragment<unknown>,
): UsagePart[] {
  const condition = buildCondition(dialect, query);
  return sources.map((source) => {
    const { rows, table, at, is } = source;
    const when = sql`${sql.ref(at)} >= ${fromMs} AND ${sql.ref(at)} < ${toMs}`;
    return {
      rows,
      columns: buildPlaceColumns(at, query),
      from: sql`FROM ${sql.table(table)} WHERE ${among(source)} AND ${is} AND ${when} ${condition}`,
    };
  });
}

const byTime = (kind: Source["kind"], { fromMs, toMs }: UsageSpan) =>
  sql`id >= ${firstIdAt(kind, Math.max(0, fromMs - ID_LEAD_MS))} AND id < ${firstIdAt(kind, Math.max(0, toMs))}`;

const unsummedBeyond = (kind: Source["kind"], seq: number) =>
  kind === "txn" ? sql`seq > ${seq}` : sql`id IN (SELECT id FROM unsummed_calls)`;

/** A span and the width of its sums. */
type SumSpan = Pick<UsageSpan, "fromMs" | "toMs"> & { readonly width: number };

const isFilled = (part: SumSpan) => part.fromMs < part.toMs;

const NO_SUMS = { fromMs: 0, untilMs: 0, lateAdditions: 0 };

/**
 * Returns the sums of a span: totals if the query needs no column, the sums by dimension if it needs one, as far as
 * they are computed, and otherwise the sums by all columns.
 */
async function readSumParts(queries: Database, query: RangeQuery, span: SumSpan): Promise<UsagePart[]> {
  const dialect = dialectOf(queries);
  const [column, ...otherColumns] = listColumns(query);
  if (column === undefined) return [selectPart(dialect, query, span, "call_totals")];
  if (otherColumns.length > 0)
    return [selectPart(dialect, await narrowed(queries, query, span), span, "call_sums")];
  const { byDimension } = await readSumProgress(queries);
  // Minutes have no sums by dimension.
  const { fromMs, untilMs, lateAdditions } = byDimension.get(span.width) ?? NO_SUMS;
  const clamp = (ms: number) => Math.min(span.toMs, Math.max(span.fromMs, ms));
  const summedSpan = { ...span, fromMs: clamp(fromMs), toMs: clamp(Math.max(fromMs, untilMs)) };
  const spanBefore = { ...span, toMs: summedSpan.fromMs };
  const spanAfter = { ...span, fromMs: summedSpan.toMs };
  return [
    ...(isFilled(summedSpan)
      ? [{ ...partByDimension(dialect, query, summedSpan, column), version: lateAdditions }]
      : []),
    ...(isFilled(spanBefore) ? [selectPart(dialect, query, spanBefore, "call_sums")] : []),
    ...(isFilled(spanAfter) ? await readUnfinished(queries, query, spanAfter) : []),
  ];
}

/** Hours of a day that is not over are summed by dimension; only its last hour has to be added up by all columns. */
async function readUnfinished(queries: Database, query: RangeQuery, span: SumSpan): Promise<UsagePart[]> {
  return span.width === DAY_MS
    ? readSumParts(queries, query, { ...span, width: HOUR_MS })
    : [selectPart(dialectOf(queries), query, span, "call_sums")];
}

/** Whether each of the groups has sums of its own, so that few rows are read. */
export const isSummedByDimension = (query: RangeQuery) => listColumns(query).size <= 1;

/** The columns that a query groups and filters by. */
function listColumns({ filter, groupBy, columns = [] }: RangeQuery): ReadonlySet<SumDimension> {
  return new Set<SumDimension>([
    ...columns,
    ...(groupBy === null ? [] : [dimensionColumns[groupBy]]),
    ...(filter.projectIds === null ? [] : (["project_id"] as const)),
    ...(filter.model === undefined ? [] : (["model"] as const)),
    ...(filter.provider === undefined ? [] : (["provider"] as const)),
    ...(filter.keyIds === undefined ? [] : (["key_id"] as const)),
  ]);
}

function selectPart(
  dialect: Dialect,
  query: RangeQuery,
  span: SumSpan,
  table: "call_sums" | "call_totals",
): UsagePart {
  // Projects are found by the key of the table.
  const isIndexed = table === "call_sums" && span.width === DAY_MS && query.filter.projectIds === null;
  const index = isIndexed ? chooseDayIndex(dialect, query.filter) : sql``;
  const times = startsIn(dialect, span, table === "call_sums" && namesProjects(query));
  return {
    rows: "sums",
    columns: buildSumPlaceColumns(span, query, buildGroupColumn(query)),
    from: sql`FROM ${sql.table(table)} ${index} WHERE width_ms = ${sql.lit(span.width)} AND ${times}
      ${buildCondition(dialect, query)}`,
  };
}

const namesProjects = ({ filter, groupBy, groups }: RangeQuery) =>
  filter.projectIds !== null || (groupBy === "project_id" && groups !== undefined);

/** Unchanged columns are in the order of the key, so that grouping needs no sort. */
function buildSumPlaceColumns(
  { width }: SumSpan,
  query: RangeQuery,
  groupColumn: Fragment<unknown>,
): Fragment<unknown> {
  return width === query.widthMs
    ? sql`start_ms, ${groupColumn}`
    : buildPlaceColumns("start_ms", query, groupColumn);
}

/**
 * Lists each start time if there are few values to find: each sum is then found by the key, without scanning those
 * between.
 */
function startsIn(
  { isListed }: Dialect,
  { fromMs, toMs, width }: SumSpan,
  hasFewValues: boolean,
): Fragment<unknown> {
  if (!hasFewValues) return sql`start_ms >= ${fromMs} AND start_ms < ${toMs}`;
  const starts = Array.from({ length: (toMs - fromMs) / width }, (_, index) => fromMs + index * width);
  return isListed(sql`start_ms`, starts);
}

function partByDimension(
  dialect: Dialect,
  query: RangeQuery,
  span: SumSpan,
  column: SumDimension,
): UsagePart {
  const { groupBy, groups, groupExpression } = query;
  const condition = buildCondition(dialect, query);
  const isNarrow = groups?.includes(null) === false || isFiltered(query.filter);
  const times = startsIn(dialect, span, isNarrow);
  // Many values may be one group, such as all keys without a member in sums by member: SQL adds them up.
  const isPlain = groupBy !== null && !groupExpression && !groups?.includes(null);
  const from = (table: string) =>
    sql`FROM (SELECT *, value AS ${sql.ref(column)} FROM ${sql.table(table)}) AS sums
     WHERE dimension = ${sql.lit(column)} AND width_ms = ${sql.lit(span.width)} AND ${times} ${condition}`;
  return {
    rows: "sums by dimension",
    columns: buildSumPlaceColumns(
      span,
      query,
      isPlain ? sql`${sql.ref(column)} AS group_value` : buildGroupColumn(query),
    ),
    from: from("sums_by_dimension"),
    latenciesFrom: from("latencies_by_dimension"),
    ...(isPlain && { readGroup: (value) => parseGroup(groupBy, value ?? "") }),
  };
}

const isFiltered = ({ projectIds, model, provider, keyIds }: RangeQuery["filter"]) =>
  projectIds !== null || model !== undefined || provider !== undefined || keyIds !== undefined;

/** The group of a column's value, as `groupings` computes it in SQL. */
function parseGroup(dimension: UsageDimension, value: string): string | null {
  if (dimension === "provider") return value || null;
  if (dimension === "api_key_id") return value.startsWith("user_") ? null : value;
  if (dimension === "user_id") return value.startsWith("user_") ? value : null;
  return value;
}

/** If there are more projects than this, their hours are scanned instead. */
const MAX_PROJECTS = 100;

/**
 * Hours have no index by key or model, but days do: looks up the projects that have calls of the key or model, so that
 * their hours are found by the key of the table.
 */
async function narrowed(
  queries: Database,
  query: RangeQuery,
  { fromMs, toMs, width }: SumSpan,
): Promise<RangeQuery> {
  const { projectIds, model, keyIds } = query.filter;
  const [column, value] = keyIds?.[0] !== undefined ? ["key_id", keyIds[0]] : ["model", model];
  if (width !== HOUR_MS || projectIds !== null || value === undefined) return query;
  const { rows } = await sql<{ project_id: string }>`SELECT DISTINCT project_id FROM call_sums
    ${chooseDayIndex(dialectOf(queries), query.filter)} WHERE width_ms = ${sql.lit(DAY_MS)}
      AND ${sql.ref(column)} = ${value} AND start_ms >= ${fromMs - (fromMs % DAY_MS)} AND start_ms < ${toMs}
    LIMIT ${MAX_PROJECTS + 1}`.execute(queries);
  if (rows.length > MAX_PROJECTS) return query;
  return {
    ...query,
    filter: { ...query.filter, projectIds: rows.map(({ project_id }) => project_id) },
  };
}
