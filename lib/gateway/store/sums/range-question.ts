import type { SQLQueryBindings } from "bun:sqlite";
import type { UsageDimension } from "@/lib/contract/operations/usage-summary";
import type { UsageFilter, UsageQuestion } from "../../usage/usage-summary";
import type { SumDimension } from "./sum-schema";

export type RangeQuestion = Pick<
  UsageQuestion,
  "filter" | "fromMs" | "toMs" | "isUntilNow" | "widthMs" | "groupBy"
> & {
  /** Selects only these groups. */
  readonly groups?: readonly (string | null)[] | undefined;
  /** SQL that replaces `groupBy`. It can use the columns that sums and calls share. */
  readonly by?: string;
  /** A condition on rows in addition to the filter. */
  readonly only?: Condition;
  /** The columns that `by` and `only` read. */
  readonly columns?: readonly SumDimension[];
};

export const groupings: Record<UsageDimension, string> = {
  project_id: "project_id",
  model: "model",
  provider: "nullif(provider, '')",
  api_key_id: "CASE WHEN key_id LIKE 'user\\_%' ESCAPE '\\' THEN NULL ELSE key_id END",
  user_id: "CASE WHEN key_id LIKE 'user\\_%' ESCAPE '\\' THEN key_id END",
};

export const columnOf: Record<UsageDimension, SumDimension> = {
  project_id: "project_id",
  model: "model",
  provider: "provider",
  api_key_id: "key_id",
  user_id: "key_id",
};
const groupingOf = (groupBy: UsageDimension | null) => (groupBy ? groupings[groupBy] : "NULL");
export const ofColumn = ({ by, groupBy }: Pick<RangeQuestion, "by" | "groupBy">) =>
  `${by ?? groupingOf(groupBy)} AS "of"`;

export interface Condition {
  readonly sql: string;
  readonly values: readonly SQLQueryBindings[];
}

/** Rows that contribute to a summary: sums, charges, or calls that cost nothing. */
export interface UsagePart {
  readonly rows: "sums" | "sums by dimension" | "charges" | "others";
  /** SQL for `start_ms` of the bucket and `of`, the value that it is grouped by. */
  readonly place: string;
  /** `FROM … WHERE …`. */
  readonly from: string;
  /** The same for the latencies, where these are in another table. */
  readonly latenciesFrom?: string;
  readonly values: readonly SQLQueryBindings[];
  /** Returns the group of `of`, where that is not the group itself. */
  readonly groupOf?: (of: string | null) => string | null;
}

export function placeOf(at: string, question: Pick<RangeQuestion, "widthMs" | "groupBy" | "by">): string {
  return `${at} - ${at} % ${question.widthMs} AS start_ms, ${ofColumn(question)}`;
}

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
  const column = groupBy ? columnOf[groupBy] : "NULL";
  const orNone = groups.includes(null) ? `OR ${groupingOf(groupBy)} IS NULL` : "";
  return {
    // The column itself, so that an index or a key finds it: the ids of groups are values of it.
    sql: `AND (${column} IN (SELECT value FROM json_each(?)) ${orNone})`,
    values: [JSON.stringify(groups.filter((group) => group !== null))],
  };
}
