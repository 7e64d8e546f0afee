import type { SqlBool } from "kysely";
import type { Database } from "../../database/database";
import { type Dialect, dialectOf, type Fragment, sql } from "../../database/fragment";
import { groupings } from "./range-query.sql";
import { type Tallies, tallyCalls } from "./sum-usage.sql";
import type { CallSelection, CallSum, GroupField } from "./usage-reader.sql";

/** The columns of sums for the fields of a selection. Sums contain neither prices nor batches. */
const columns: Partial<Record<GroupField, Fragment<unknown>>> = {
  project_id: groupings.project_id,
  user_id: groupings.user_id,
  api_key_id: groupings.api_key_id,
  model: groupings.model,
};

/** Answers a selection from the sums; null if only the calls can answer it, or too many calls are not summed yet. */
export async function sumSelection(queries: Database, selection: CallSelection): Promise<CallSum[] | null> {
  const { buckets, widthMs, groupBy, chargedOnly } = selection;
  const [first, last] = [buckets[0], buckets.at(-1)];
  if (!first || !last) return [];
  const expressions = groupBy.map((field) => columns[field]).filter((column) => column !== undefined);
  if (expressions.length < groupBy.length || selection.countsMade || selection.batch !== undefined)
    return null;
  const dialect = dialectOf(queries);
  const range = { fromMs: first.startTime * 1000, toMs: last.endTime * 1000, widthMs };
  const { tallies, pendingCalls } = await tallyCalls(queries, {
    ...range,
    filter: { projectIds: null },
    groupBy: null,
    groupExpression: dialect.jsonList(expressions),
    extraCondition: buildConditions(dialect, selection),
    columns: columnsRead(selection),
  });
  if (pendingCalls > 0) return null;
  const places = new Map(
    buckets.map(({ startTime }, index) => [startTime * 1000 - ((startTime * 1000) % widthMs), index]),
  );
  return toSums(tallies, groupBy, places).filter(
    ({ requests, inputTokens, outputTokens, amount }) =>
      requests > 0 && (!chargedOnly || inputTokens + outputTokens > 0 || amount > 0n),
  );
}

function toSums(
  tallies: Tallies,
  groupBy: readonly GroupField[],
  places: ReadonlyMap<number, number>,
): CallSum[] {
  const sums = [...tallies].flatMap(([key, tally]) => {
    const values = JSON.parse(key ?? "[]") as (string | null)[];
    const name = JSON.stringify(values);
    const group = Object.fromEntries(groupBy.map((field, index) => [field, values[index] ?? null]));
    return tally.buckets().flatMap((figures) => {
      const bucket = places.get(figures.startMs);
      if (bucket === undefined) return [];
      const sum = {
        bucket,
        group,
        requests: figures.requests,
        inputTokens: figures.promptTokens,
        outputTokens: figures.completionTokens,
        cachedTokens: figures.cachedTokens,
        audioInputTokens: figures.audioPromptTokens,
        audioOutputTokens: figures.audioCompletionTokens,
        amount: figures.amount,
      };
      return [{ sum, key: name }];
    });
  });
  return sums
    .toSorted((one, other) => one.sum.bucket - other.sum.bucket || (one.key < other.key ? -1 : 1))
    .map(({ sum }) => sum);
}

function columnsRead({ groupBy, projectIds, userIds, apiKeyIds, models, exceptModels }: CallSelection) {
  const isSelected = (field: GroupField, ...lists: unknown[]) =>
    groupBy.includes(field) || lists.some((list) => list !== undefined);
  return [
    ...(isSelected("project_id", projectIds) ? (["project_id"] as const) : []),
    ...(isSelected("user_id", userIds) || isSelected("api_key_id", apiKeyIds) ? (["key_id"] as const) : []),
    ...(isSelected("model", models, exceptModels) ? (["model"] as const) : []),
  ];
}

function buildConditions({ isListed }: Dialect, selection: CallSelection): Fragment<SqlBool> {
  const { projectIds, userIds, apiKeyIds, models, exceptModels } = selection;
  const lists = [
    [groupings.project_id, projectIds],
    [groupings.user_id, userIds],
    [groupings.api_key_id, apiKeyIds],
    [groupings.model, models],
  ] as const;
  const conditions = lists.flatMap(([column, list]) => (list === undefined ? [] : [isListed(column, list)]));
  if (exceptModels) conditions.push(sql`NOT ${isListed(groupings.model, exceptModels)}`);
  return conditions.length === 0 ? sql`1 = 1` : sql`${sql.join(conditions, sql` AND `)}`;
}
