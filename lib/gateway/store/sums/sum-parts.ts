import type { Database as Sqlite } from "bun:sqlite";
import { DAY_MS, HOUR_MS } from "@/lib/contract/durations";
import type { UsageDimension } from "@/lib/contract/operations/usage-summary";
import { dayIndexOf } from "./day-index";
import { dimensionsSpan } from "./dimension-sums";
import {
  type Condition,
  columnOf,
  conditionOf,
  ofColumn,
  placeOf,
  type RangeQuestion,
  type UsagePart,
} from "./range-question";
import type { SumDimension } from "./sum-schema";
import type { UsageSpan } from "./usage-spans";

/** A span and the width of its sums. */
type SumSpan = Pick<UsageSpan, "fromMs" | "toMs"> & { readonly width: number };

/**
 * Returns the sums of a span: totals if the question needs no column, the sums by dimension if it needs one, as far as
 * they are computed, and otherwise the sums by all columns.
 */
export function sumsOf(sqlite: Sqlite, question: RangeQuestion, span: SumSpan): UsagePart[] {
  const [column, ...others] = columnsOf(question);
  if (column === undefined) return [partOf(question, span, "call_totals")];
  if (others.length > 0) return [partOf(narrowed(sqlite, question, span), span, "call_sums")];
  const { fromMs, untilMs } = dimensionsSpan(sqlite, span.width);
  const clamp = (ms: number) => Math.min(span.toMs, Math.max(span.fromMs, ms));
  const known = { ...span, fromMs: clamp(fromMs), toMs: clamp(Math.max(fromMs, untilMs)) };
  const isFilled = (part: SumSpan) => part.fromMs < part.toMs;
  const before = { ...span, toMs: known.fromMs };
  const after = { ...span, fromMs: known.toMs };
  return [
    ...(isFilled(known) ? [partByDimension(question, known, column)] : []),
    ...[before, after].filter(isFilled).map((part) => partOf(question, part, "call_sums")),
  ];
}

/** The columns that a question groups and filters by. */
function columnsOf({ filter, groupBy, columns = [] }: RangeQuestion): ReadonlySet<SumDimension> {
  return new Set<SumDimension>([
    ...columns,
    ...(groupBy === null ? [] : [columnOf[groupBy]]),
    ...(filter.projectIds === null ? [] : (["project_id"] as const)),
    ...(filter.model === undefined ? [] : (["model"] as const)),
    ...(filter.provider === undefined ? [] : (["provider"] as const)),
    ...(filter.keyIds === undefined ? [] : (["key_id"] as const)),
  ]);
}

function partOf(question: RangeQuestion, span: SumSpan, table: "call_sums" | "call_totals"): UsagePart {
  const asked = conditionOf(question);
  // Projects are found by the key of the table.
  const isIndexed = table === "call_sums" && span.width === DAY_MS && question.filter.projectIds === null;
  const index = isIndexed ? dayIndexOf(question.filter) : "";
  const times = startsIn(span, table === "call_sums" && question.filter.projectIds !== null);
  return {
    rows: "sums",
    // Unchanged columns are in the order of the key, so that grouping needs no sort.
    place:
      span.width === question.widthMs ? `start_ms, ${ofColumn(question)}` : placeOf("start_ms", question),
    from: `FROM ${table} ${index} WHERE width_ms = ${span.width} AND ${times.sql} ${asked.sql}`,
    values: [...times.values, ...asked.values],
  };
}

/** With few values to find, lists each start time. Each sum is then found by the key, without scanning those between. */
function startsIn({ fromMs, toMs, width }: SumSpan, hasFewValues: boolean): Condition {
  if (!hasFewValues) return { sql: "start_ms >= ? AND start_ms < ?", values: [fromMs, toMs] };
  const starts = Array.from({ length: (toMs - fromMs) / width }, (_, index) => fromMs + index * width);
  return { sql: "start_ms IN (SELECT value FROM json_each(?))", values: [JSON.stringify(starts)] };
}

function partByDimension(question: RangeQuestion, span: SumSpan, column: SumDimension): UsagePart {
  const { groupBy, groups, by, widthMs } = question;
  const asked = conditionOf(question);
  const isNarrow = groups?.includes(null) === false || isFiltered(question.filter);
  const times = startsIn(span, isNarrow);
  const bucket = span.width === widthMs ? "start_ms" : `start_ms - start_ms % ${widthMs} AS start_ms`;
  const isPlain = groupBy !== null && !by;
  const from = (table: string) =>
    `FROM (SELECT *, value AS ${column} FROM ${table}) WHERE dimension = '${column}' AND width_ms = ${span.width}
     AND ${times.sql} ${asked.sql}`;
  return {
    rows: "sums by dimension",
    place: `${bucket}, ${isPlain ? `${column} AS "of"` : ofColumn(question)}`,
    from: from("sums_by_dimension"),
    latenciesFrom: from("latencies_by_dimension"),
    values: [...times.values, ...asked.values],
    ...(isPlain && { groupOf: (value) => groupOf(groupBy, value ?? "") }),
  };
}

const isFiltered = ({ projectIds, model, provider, keyIds }: RangeQuestion["filter"]) =>
  projectIds !== null || model !== undefined || provider !== undefined || keyIds !== undefined;

/** The group of a column's value, as `groupings` computes it in SQL. */
function groupOf(dimension: UsageDimension, value: string): string | null {
  if (dimension === "provider") return value || null;
  if (dimension === "api_key_id") return value.startsWith("user_") ? null : value;
  if (dimension === "user_id") return value.startsWith("user_") ? value : null;
  return value;
}

/** With more projects than this, their hours are scanned instead. */
const MAX_PROJECTS = 100;

/**
 * Hours have no index by key or model, but days do: looks up the projects that have calls of the key or model, so that
 * their hours are found by the key of the table.
 */
function narrowed(sqlite: Sqlite, question: RangeQuestion, { fromMs, toMs, width }: SumSpan): RangeQuestion {
  const { projectIds, model, keyIds } = question.filter;
  const [column, value] = keyIds?.[0] !== undefined ? ["key_id", keyIds[0]] : ["model", model];
  if (width !== HOUR_MS || projectIds !== null || value === undefined) return question;
  const rows = sqlite
    .query<{ project_id: string }, [string, number, number]>(
      `SELECT DISTINCT project_id FROM call_sums ${dayIndexOf(question.filter)} WHERE width_ms = ${DAY_MS} AND ${column} = ? AND start_ms >= ? AND start_ms < ?
       LIMIT ${MAX_PROJECTS + 1}`,
    )
    .all(value, fromMs - (fromMs % DAY_MS), toMs);
  if (rows.length > MAX_PROJECTS) return question;
  return {
    ...question,
    filter: { ...question.filter, projectIds: rows.map(({ project_id }) => project_id) },
  };
}
