import type { Database as Sqlite } from "bun:sqlite";
import { DAY_MS, HOUR_MS } from "@/lib/contract/durations";
import { firstIdAt } from "@/lib/contract/ids";
import type { UsageDimension } from "@/lib/contract/operations/usage/usage-summary";
import { readLastEntrySeq } from "../../ledger/reads/read-spent.sql";
import { ID_LEAD_MS } from "../requests/request-sources.sql";
import { dimensionsSpan } from "../sums/dimension-sums.sql";
import { minutesWholeFrom } from "../sums/minute-sums.sql";
import { findLastSummedEntry } from "../sums/sum-calls.sql";
import type { SumDimension } from "../sums/sum-schema";
import {
  buildCondition,
  buildGroupColumn,
  buildPlaceColumns,
  type Condition,
  chooseDayIndex,
  dimensionColumns,
  type RangeQuery,
  type UsagePart,
} from "./range-query.sql";
import { cutIntoSpans, type UsageSpan } from "./usage-spans";

/** If more charges than this are unsummed, they are left out and reported as pending. */
const MAX_UNSUMMED = 20_000;

/** Returns the row sources of a query. Each call is in exactly one of them. */
export function readUsageParts(
  sqlite: Sqlite,
  query: RangeQuery,
): { parts: UsagePart[]; pendingCalls: number } {
  const lastSummedSeq = findLastSummedEntry(sqlite);
  const unsummed = readLastEntrySeq(sqlite) - lastSummedSeq;
  const hasPending = unsummed > MAX_UNSUMMED;
  const spans = cutIntoSpans(query, query.widthMs, minutesWholeFrom(sqlite));
  const parts = spans.flatMap((span) => {
    if (span.sumWidthMs === null) return readCallParts(query, span, ({ kind }) => byTime(kind, span));
    const beyond = hasPending
      ? []
      : readCallParts(query, span, ({ kind }) => unsummedBeyond(kind, lastSummedSeq));
    return [...readSumParts(sqlite, query, { ...span, width: span.sumWidthMs }), ...beyond];
  });
  return { parts, pendingCalls: hasPending ? unsummed : 0 };
}

/** The tables of ended calls. Each call has an id with the table's prefix. */
const sources = [
  { rows: "charges", kind: "txn", table: "ledger_entries", at: "started_at_ms", is: "kind = 'charge'" },
  { rows: "others", kind: "req", table: "uncharged_calls", at: "at_ms", is: "outcome <> 'refused'" },
] as const;
type Source = (typeof sources)[number];

function readCallParts(
  query: RangeQuery,
  { fromMs, toMs }: UsageSpan,
  among: (source: Source) => Condition,
): UsagePart[] {
  return sources.map((source) => {
    const { rows, table, at, is } = source;
    const [condition, groupCondition] = [buildCondition(query), among(source)];
    return {
      rows,
      columns: buildPlaceColumns(at, query),
      from: `FROM ${table} WHERE ${groupCondition.sql} AND ${is} AND ${at} >= ? AND ${at} < ? ${condition.sql}`,
      values: [...groupCondition.values, fromMs, toMs, ...condition.values],
    };
  });
}

const byTime = (kind: Source["kind"], { fromMs, toMs }: UsageSpan): Condition => ({
  sql: "id >= ? AND id < ?",
  values: [firstIdAt(kind, Math.max(0, fromMs - ID_LEAD_MS)), firstIdAt(kind, Math.max(0, toMs))],
});

const unsummedBeyond = (kind: Source["kind"], seq: number): Condition =>
  kind === "txn"
    ? { sql: "seq > ?", values: [seq] }
    : { sql: "id IN (SELECT id FROM unsummed_calls)", values: [] };

/** A span and the width of its sums. */
type SumSpan = Pick<UsageSpan, "fromMs" | "toMs"> & { readonly width: number };

const isFilled = (part: SumSpan) => part.fromMs < part.toMs;

/**
 * Returns the sums of a span: totals if the query needs no column, the sums by dimension if it needs one, as far as
 * they are computed, and otherwise the sums by all columns.
 */
function readSumParts(sqlite: Sqlite, query: RangeQuery, span: SumSpan): UsagePart[] {
  const [column, ...otherColumns] = listColumns(query);
  if (column === undefined) return [selectPart(query, span, "call_totals")];
  if (otherColumns.length > 0) return [selectPart(narrowed(sqlite, query, span), span, "call_sums")];
  const { fromMs, untilMs, lateAdditions } = dimensionsSpan(sqlite, span.width);
  const clamp = (ms: number) => Math.min(span.toMs, Math.max(span.fromMs, ms));
  const summedSpan = { ...span, fromMs: clamp(fromMs), toMs: clamp(Math.max(fromMs, untilMs)) };
  const spanBefore = { ...span, toMs: summedSpan.fromMs };
  const spanAfter = { ...span, fromMs: summedSpan.toMs };
  return [
    ...(isFilled(summedSpan)
      ? [{ ...partByDimension(query, summedSpan, column), version: lateAdditions }]
      : []),
    ...(isFilled(spanBefore) ? [selectPart(query, spanBefore, "call_sums")] : []),
    ...(isFilled(spanAfter) ? readUnfinished(sqlite, query, spanAfter) : []),
  ];
}

/** Hours of a day that is not over are summed by dimension; only its last hour has to be added up by all columns. */
function readUnfinished(sqlite: Sqlite, query: RangeQuery, span: SumSpan): UsagePart[] {
  return span.width === DAY_MS
    ? readSumParts(sqlite, query, { ...span, width: HOUR_MS })
    : [selectPart(query, span, "call_sums")];
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

function selectPart(query: RangeQuery, span: SumSpan, table: "call_sums" | "call_totals"): UsagePart {
  const condition = buildCondition(query);
  // Projects are found by the key of the table.
  const isIndexed = table === "call_sums" && span.width === DAY_MS && query.filter.projectIds === null;
  const index = isIndexed ? chooseDayIndex(query.filter) : "";
  const times = startsIn(span, table === "call_sums" && namesProjects(query));
  return {
    rows: "sums",
    columns: buildSumPlaceColumns(span, query, buildGroupColumn(query)),
    from: `FROM ${table} ${index} WHERE width_ms = ${span.width} AND ${times.sql} ${condition.sql}`,
    values: [...times.values, ...condition.values],
  };
}

const namesProjects = ({ filter, groupBy, groups }: RangeQuery) =>
  filter.projectIds !== null || (groupBy === "project_id" && groups !== undefined);

/** Unchanged columns are in the order of the key, so that grouping needs no sort. */
function buildSumPlaceColumns({ width }: SumSpan, query: RangeQuery, groupColumn: string): string {
  return width === query.widthMs
    ? `start_ms, ${groupColumn}`
    : buildPlaceColumns("start_ms", query, groupColumn);
}

/**
 * Lists each start time if there are few values to find: each sum is then found by the key, without scanning those
 * between.
 */
function startsIn({ fromMs, toMs, width }: SumSpan, hasFewValues: boolean): Condition {
  if (!hasFewValues) return { sql: "start_ms >= ? AND start_ms < ?", values: [fromMs, toMs] };
  const starts = Array.from({ length: (toMs - fromMs) / width }, (_, index) => fromMs + index * width);
  return { sql: "start_ms IN (SELECT value FROM json_each(?))", values: [JSON.stringify(starts)] };
}

function partByDimension(query: RangeQuery, span: SumSpan, column: SumDimension): UsagePart {
  const { groupBy, groups, groupExpression } = query;
  const condition = buildCondition(query);
  const isNarrow = groups?.includes(null) === false || isFiltered(query.filter);
  const times = startsIn(span, isNarrow);
  // Many values are one group if they have none, such as all keys in sums by member: SQL adds them up.
  const isPlain = groupBy !== null && !groupExpression && !groups?.includes(null);
  const from = (table: string) =>
    `FROM (SELECT *, value AS ${column} FROM ${table}) WHERE dimension = '${column}' AND width_ms = ${span.width}
     AND ${times.sql} ${condition.sql}`;
  return {
    rows: "sums by dimension",
    columns: buildSumPlaceColumns(
      span,
      query,
      isPlain ? `${column} AS group_value` : buildGroupColumn(query),
    ),
    from: from("sums_by_dimension"),
    latenciesFrom: from("latencies_by_dimension"),
    values: [...times.values, ...condition.values],
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
function narrowed(sqlite: Sqlite, query: RangeQuery, { fromMs, toMs, width }: SumSpan): RangeQuery {
  const { projectIds, model, keyIds } = query.filter;
  const [column, value] = keyIds?.[0] !== undefined ? ["key_id", keyIds[0]] : ["model", model];
  if (width !== HOUR_MS || projectIds !== null || value === undefined) return query;
  const rows = sqlite
    .query<{ project_id: string }, [string, number, number]>(
      `SELECT DISTINCT project_id FROM call_sums ${chooseDayIndex(query.filter)} WHERE width_ms = ${DAY_MS} AND ${column} = ? AND start_ms >= ? AND start_ms < ?
       LIMIT ${MAX_PROJECTS + 1}`,
    )
    .all(value, fromMs - (fromMs % DAY_MS), toMs);
  if (rows.length > MAX_PROJECTS) return query;
  return {
    ...query,
    filter: { ...query.filter, projectIds: rows.map(({ project_id }) => project_id) },
  };
}
