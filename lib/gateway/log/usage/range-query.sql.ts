import type { SqlBool } from "kysely";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/contract/durations";
import type { UsageDimension } from "@/lib/contract/operations/usage/usage-summary";
import { type Dialect, type Fragment, sql } from "../../database/fragment";
import type { SumDimension } from "../sums/sum-schema";
import type { UsageFilter, UsageQuery } from "./usage-summary";

export type RangeQuery = Pick<
  UsageQuery,
  "filter" | "fromMs" | "toMs" | "isUntilNow" | "widthMs" | "groupBy"
> & {
  /** Selects only these groups. */
  readonly groups?: readonly (string | null)[] | undefined;
  /** SQL that replaces `groupBy`. It can use the columns that sums and calls share. */
  readonly groupExpression?: Fragment;
  /** A condition on rows in addition to the filter. */
  readonly extraCondition?: Fragment<SqlBool>;
  /** The columns that `groupExpression` and `extraCondition` read. */
  readonly columns?: readonly SumDimension[];
};

/** The ids that begin with `user_`. A comparison takes a fraction of the time of LIKE. */
export const isMember = sql<SqlBool>`(key_id >= 'user_' AND key_id < 'user\`')`;

export const groupings: Record<UsageDimension, Fragment> = {
  project_id: sql`project_id`,
  model: sql`model`,
  provider: sql`nullif(provider, '')`,
  api_key_id: sql`CASE WHEN ${isMember} THEN NULL ELSE key_id END`,
  user_id: sql`CASE WHEN ${isMember} THEN key_id END`,
};

export const dimensionColumns: Record<UsageDimension, SumDimension> = {
  project_id: "project_id",
  model: "model",
  provider: "provider",
  api_key_id: "key_id",
  user_id: "key_id",
};
const buildGrouping = (groupBy: UsageDimension | null) => (groupBy ? groupings[groupBy] : sql`NULL`);
export const buildGroupColumn = ({
  groupExpression,
  groupBy,
}: Pick<RangeQuery, "groupExpression" | "groupBy">): Fragment =>
  sql`${groupExpression ?? buildGrouping(groupBy)} AS group_value`;

/** Rows that contribute to a summary: sums, charges, or calls that cost nothing. */
export interface UsagePart {
  readonly rows: "sums" | "sums by dimension" | "charges" | "others";
  /** SQL for `start_ms` of the bucket and for `group_value`, the value that it is grouped by. */
  readonly columns: Fragment;
  /** `FROM … WHERE …`. */
  readonly from: Fragment;
  /** The same for the latencies, if these are in another table. */
  readonly latenciesFrom?: Fragment;
  /** Set if the rows change only with this number. */
  readonly version?: number;
  /** Returns the group of a `group_value`, if that is not the group itself. */
  readonly readGroup?: (groupValue: string | null) => string | null;
}

/** Whether the only bucket is the one that begins at 0. A period before a very long one ends before that. */
export const isOneBucket = ({ widthMs, toMs }: Pick<RangeQuery, "widthMs" | "toMs">) =>
  toMs > 0 && widthMs >= toMs;

export function buildPlaceColumns(
  at: string,
  query: Pick<RangeQuery, "widthMs" | "groupBy" | "groupExpression" | "toMs">,
  groupColumn = buildGroupColumn(query),
): Fragment {
  if (isOneBucket(query)) return sql`0 AS start_ms, ${groupColumn}`;
  return sql`${sql.ref(at)} - ${sql.ref(at)} % ${sql.lit(query.widthMs)} AS start_ms, ${groupColumn}`;
}

/** The condition of a query's rows, which follows others. */
export function buildCondition(
  dialect: Dialect,
  { filter, groupBy, groups, extraCondition }: RangeQuery,
): Fragment {
  const conditions = [
    ...listFilterConditions(dialect, filter),
    ...(groups ? [buildGroupCondition(dialect, groupBy, groups)] : []),
    ...(extraCondition ? [extraCondition] : []),
  ];
  return sql.join(
    conditions.map((condition) => sql`AND ${condition}`),
    sql` `,
  );
}

function listFilterConditions(
  { isListed }: Dialect,
  { projectIds, model, provider, keyIds = [] }: UsageFilter,
): Fragment[] {
  // A single value uses `=`: for a list of unknown values SQLite overestimates the matches and skips the index.
  const isInProjects = (ids: readonly string[]) =>
    ids.length === 1 ? sql`project_id = ${ids[0]}` : isListed(sql`project_id`, ids);
  return [
    ...(projectIds === null ? [] : [isInProjects(projectIds)]),
    ...(model === undefined ? [] : [sql`model = ${model}`]),
    ...(provider === undefined ? [] : [sql`provider = ${provider}`]),
    ...keyIds.map((id) => sql`key_id = ${id}`),
  ];
}

/** Returns the condition that selects the rows of these groups. */
function buildGroupCondition(
  { isListed }: Dialect,
  groupBy: UsageDimension | null,
  groups: readonly (string | null)[],
): Fragment {
  const named = groups.filter((group) => group !== null);
  const isNone = groups.includes(null) ? sql`${buildGrouping(groupBy)} IS NULL` : sql`1 = 0`;
  // The column itself, so that an index or a key finds it: the ids of groups are values of it.
  return groupBy === null
    ? sql`(${isNone})`
    : sql`(${isListed(sql.ref(dimensionColumns[groupBy]), named)} OR ${isNone})`;
}

interface DayFilter {
  readonly projectIds: readonly string[] | null;
  readonly model?: string | undefined;
  readonly keyIds?: readonly string[] | undefined;
}

/**
 * Returns the SQL that makes a read of the daily `call_sums` use the index of a filter's key, model or project, or ""
 * if the filter has none of the three. Without it SQLite, which knows no values, scans all sums of the days.
 * The read must name the width as a literal, since the indexes contain daily sums only.
 */
export function chooseDayIndex({ withIndex }: Dialect, { projectIds, model, keyIds }: DayFilter): Fragment {
  if (keyIds !== undefined) return withIndex("call_sums_by_key_id");
  if (model !== undefined) return withIndex("call_sums_by_model");
  return projectIds?.length === 1 ? withIndex("call_sums_by_project_id") : sql``;
}

/**
 * A stretch of time, Unix milliseconds, `toMs` exclusive, and the sums that tell it; null if the calls do, one by one.
 */
export interface UsageSpan {
  readonly fromMs: number;
  readonly toMs: number;
  readonly sumWidthMs: number | null;
}

interface Range {
  readonly fromMs: number;
  readonly toMs: number;
  /** Whether no call is later, so that the sum in which the range ends has no calls beyond it. */
  readonly isUntilNow?: boolean | undefined;
}

/**
 * Cuts a stretch into as few spans as there can be: days in its middle, hours and minutes at its ends, and what no sum
 * fits. None is wider than `widthMs`, so that each sum belongs to one bucket.
 */
export function cutIntoSpans(range: Range, widthMs: number, minutesFromMs: number): UsageSpan[] {
  const cutRange = ({ fromMs, toMs }: Range, widths: readonly number[]): UsageSpan[] => {
    if (fromMs >= toMs) return [];
    const [width, ...narrower] = widths;
    if (width === undefined) return [{ fromMs, toMs, sumWidthMs: null }];
    const min = width === MINUTE_MS ? Math.max(fromMs, minutesFromMs) : fromMs;
    const start = Math.ceil(min / width) * width;
    // Ends of parts within the range are multiples of all narrower widths.
    const end = (range.isUntilNow ? Math.ceil(toMs / width) : Math.floor(toMs / width)) * width;
    if (start >= end) return cutRange({ fromMs, toMs }, narrower);
    return [
      ...cutRange({ fromMs, toMs: start }, narrower),
      { fromMs: start, toMs: end, sumWidthMs: width },
      ...cutRange({ fromMs: end, toMs }, narrower),
    ];
  };
  return cutRange(
    range,
    [DAY_MS, HOUR_MS, MINUTE_MS].filter((width) => width <= widthMs),
  );
}
