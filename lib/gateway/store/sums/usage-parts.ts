import type { SQLQueryBindings, Database as Sqlite } from "bun:sqlite";
import { firstIdOf } from "@/lib/contract/ids";
import type { UsageDimension } from "@/lib/contract/operations/usage-summary";
import type { UsageFilter, UsageQuestion } from "../../usage/usage-summary";
import { ID_LEAD_MS } from "../calls/id-lead";
import { lastEntrySeq } from "../ledger/last-entry-seq";
import { lastSummedEntry, minutesWholeFrom } from "./sum-calls";
import { spansOf, type UsageSpan } from "./usage-spans";

/** With more unsummed charges than this, they are left out and reported as pending. */
const MAX_UNSUMMED = 20_000;

export type RangeQuestion = Pick<UsageQuestion, "filter" | "fromMs" | "toMs" | "widthMs" | "groupBy"> & {
  /** Selects only these groups. */
  readonly groups?: readonly (string | null)[] | undefined;
  /** SQL that replaces `groupBy`. It can use the columns that sums and calls share. */
  readonly by?: string;
  /** A condition on rows in addition to the filter. */
  readonly only?: Condition;
};

export const groupings: Record<UsageDimension, string> = {
  project_id: "project_id",
  model: "model",
  provider: "nullif(provider, '')",
  api_key_id: "CASE WHEN key_id LIKE 'user\\_%' ESCAPE '\\' THEN NULL ELSE key_id END",
  user_id: "CASE WHEN key_id LIKE 'user\\_%' ESCAPE '\\' THEN key_id END",
};
const groupingOf = (groupBy: UsageDimension | null) => (groupBy ? groupings[groupBy] : "NULL");
const ofColumn = ({ by, groupBy }: Pick<RangeQuestion, "by" | "groupBy">) =>
  `${by ?? groupingOf(groupBy)} AS "of"`;

export interface Condition {
  readonly sql: string;
  readonly values: readonly SQLQueryBindings[];
}

/** Rows that contribute to a summary: sums, charges, or calls that cost nothing. */
export interface UsagePart {
  readonly rows: "sums" | "charges" | "others";
  /** SQL for `start_ms` of the bucket and `of`, the value that it is grouped by. */
  readonly place: string;
  /** `FROM … WHERE …`. */
  readonly from: string;
  readonly values: readonly SQLQueryBindings[];
}

/** Returns the row sources of a question. Each call is in exactly one of them. */
export function partsOf(sqlite: Sqlite, asked: RangeQuestion): { parts: UsagePart[]; pendingCalls: number } {
  const question = byProjects(asked);
  const summed = lastSummedEntry(sqlite);
  const unsummed = lastEntrySeq(sqlite) - summed;
  const hasPending = unsummed > MAX_UNSUMMED;
  const spans = spansOf(question, question.widthMs, minutesWholeFrom(sqlite));
  const parts = spans.flatMap((span) => {
    if (span.sumsOf === null) return callsOf(question, span, ({ kind }) => byTime(kind, span));
    const beyond = hasPending ? [] : callsOf(question, span, ({ kind }) => unsummedBeyond(kind, summed));
    return [sumsOf(question, span, span.sumsOf), ...beyond];
  });
  return { parts, pendingCalls: hasPending ? unsummed : 0 };
}

/** Projects as groups are a filter by project, with which sums are found by their key. */
function byProjects(question: RangeQuestion): RangeQuestion {
  const { groupBy, groups, filter } = question;
  if (groupBy !== "project_id" || !groups || filter.projectIds !== null) return question;
  const projectIds = groups.filter((group) => group !== null);
  return { ...question, filter: { ...filter, projectIds }, groups: undefined };
}

function sumsOf(question: RangeQuestion, span: UsageSpan, width: number): UsagePart {
  const { filter, widthMs, groupBy, by } = question;
  const isOfAll =
    groupBy === null &&
    !by &&
    filter.projectIds === null &&
    !filter.model &&
    !filter.provider &&
    !filter.keyIds;
  const [asked, times] = [conditionOf(question), startsIn(filter, span, width)];
  return {
    rows: "sums",
    // Unchanged columns are in the order of the key, so that grouping needs no sort.
    place: width === widthMs ? `start_ms, ${ofColumn(question)}` : placeOf("start_ms", question),
    from: `FROM ${isOfAll ? "call_totals" : "call_sums"} WHERE width_ms = ${width} AND ${times.sql} ${asked.sql}`,
    values: [...times.values, ...asked.values],
  };
}

/**
 * With a filter by project, lists each start time. Each sum is then found by the key, without scanning other projects'
 * sums.
 */
function startsIn({ projectIds }: UsageFilter, { fromMs, toMs }: UsageSpan, width: number): Condition {
  if (projectIds === null) return { sql: "start_ms >= ? AND start_ms < ?", values: [fromMs, toMs] };
  const starts = Array.from({ length: (toMs - fromMs) / width }, (_, index) => fromMs + index * width);
  return { sql: "start_ms IN (SELECT value FROM json_each(?))", values: [JSON.stringify(starts)] };
}

/** The tables of ended calls. Each call has an id with the table's prefix. */
const sources = [
  { rows: "charges", kind: "txn", table: "ledger_entries", at: "started_at_ms", is: "kind = 'charge'" },
  { rows: "others", kind: "req", table: "uncharged_calls", at: "at_ms", is: "outcome <> 'refused'" },
] as const;
type Source = (typeof sources)[number];

function callsOf(
  question: RangeQuestion,
  { fromMs, toMs }: UsageSpan,
  among: (source: Source) => Condition,
): UsagePart[] {
  return sources.map((source) => {
    const { rows, table, at, is } = source;
    const [asked, looked] = [conditionOf(question), among(source)];
    return {
      rows,
      place: placeOf(at, question),
      from: `FROM ${table} WHERE ${looked.sql} AND ${is} AND ${at} >= ? AND ${at} < ? ${asked.sql}`,
      values: [...looked.values, fromMs, toMs, ...asked.values],
    };
  });
}

export function placeOf(at: string, question: Pick<RangeQuestion, "widthMs" | "groupBy" | "by">): string {
  return `${at} - ${at} % ${question.widthMs} AS start_ms, ${ofColumn(question)}`;
}

const byTime = (kind: Source["kind"], { fromMs, toMs }: UsageSpan): Condition => ({
  sql: "id >= ? AND id < ?",
  values: [firstIdOf(kind, Math.max(0, fromMs - ID_LEAD_MS)), firstIdOf(kind, Math.max(0, toMs))],
});

const unsummedBeyond = (kind: Source["kind"], seq: number): Condition =>
  kind === "txn"
    ? { sql: "seq > ?", values: [seq] }
    : { sql: "id IN (SELECT id FROM unsummed_calls)", values: [] };

export function conditionOf({ filter, groupBy, groups, only }: RangeQuestion): Condition {
  const conditions = [
    conditionOfFilter(filter),
    groups ? ofGroups(groupBy, groups) : NO_CONDITION,
    only ?? NO_CONDITION,
  ];
  return {
    sql: conditions.map(({ sql }) => sql).join(" "),
    values: conditions.flatMap(({ values }) => values),
  };
}

const NO_CONDITION: Condition = { sql: "", values: [] };

function conditionOfFilter({ projectIds, model, provider, keyIds = [] }: UsageFilter): Condition {
  // A single value uses `=`: for a list of unknown values SQLite overestimates the matches and skips the index.
  const isIn =
    projectIds?.length === 1 ? "AND project_id = ?" : "AND project_id IN (SELECT value FROM json_each(?))";
  return {
    sql: [
      projectIds === null ? "" : isIn,
      model === undefined ? "" : "AND model = ?",
      provider === undefined ? "" : "AND provider = ?",
      ...keyIds.map(() => "AND key_id = ?"),
    ].join(" "),
    values: [
      ...(projectIds === null ? [] : projectIds.length === 1 ? projectIds : [JSON.stringify(projectIds)]),
      ...(model === undefined ? [] : [model]),
      ...(provider === undefined ? [] : [provider]),
      ...keyIds,
    ],
  };
}

/** Returns the condition that selects the rows of these groups. */
function ofGroups(groupBy: UsageDimension | null, groups: readonly (string | null)[]): Condition {
  const grouping = groupingOf(groupBy);
  const orNone = groups.includes(null) ? `OR ${grouping} IS NULL` : "";
  return {
    sql: `AND (${grouping} IN (SELECT value FROM json_each(?)) ${orNone})`,
    values: [JSON.stringify(groups.filter((group) => group !== null))],
  };
}
