import { DAY_MS } from "@/lib/contract/durations";
import type { UsageDimension } from "@/lib/contract/operations/usage/usage-summary";
import { type Database, readSnapshot } from "../../database/database";
import { dialectOf, sql } from "../../database/fragment";
import { findLastSummedEntry } from "../sums/sum-calls.sql";
import { addLatencies, sumUsage } from "./sum-usage.sql";
import type { UsageRow, UsageRowQuery } from "./usage-summary";

const nameColumns: Record<UsageDimension, readonly string[]> = {
  project_id: ["projects"],
  model: [],
  provider: [],
  api_key_id: ["project_api_keys", "admin_api_keys"],
  user_id: ["users"],
};

/** The present names of groups, by their ids. */
export async function readGroupNames(
  queries: Database,
  dimension: UsageDimension,
  groups: readonly (string | null)[],
): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  const isNamed = dialectOf(queries).isListed(
    sql`id`,
    groups.filter((group) => group !== null),
  );
  for (const table of nameColumns[dimension]) {
    const { rows } = await sql<{ id: string; name: string }>`
      SELECT id, name FROM ${sql.table(table)} WHERE ${isNamed}`.execute(queries);
    for (const { id, name } of rows) names.set(id, name);
  }
  return names;
}

/** Reads the project of each key; admin keys have none. */
export async function readKeyProjects(
  queries: Database,
  keyIds: readonly (string | null)[],
): Promise<Map<string, { id: string; name: string }>> {
  const ids = keyIds.filter((id) => id !== null);
  const rows = await queries
    .selectFrom("project_api_keys as key")
    .innerJoin("projects as project", "project.id", "key.project_id")
    .select(["key.id as keyId", "project.id", "project.name"])
    .where(dialectOf(queries).isListed(sql`key.id`, ids))
    .execute();
  return new Map(rows.map(({ keyId, ...project }) => [keyId, project]));
}

/** Rows of usage in order, bucket by bucket: sums no more of a range than is requested. */
export async function listUsage(queries: Database, query: UsageRowQuery): Promise<UsageRow[]> {
  const { fromMs, toMs, widthMs, groupBy, after, limit } = query;
  const rows: UsageRow[] = [];
  const days = await findDaysToList(queries, query);
  for (const startMs of listBuckets(query, days)) {
    if (rows.length >= limit) break;
    const end = Math.min(toMs, startMs + widthMs);
    const bucket = {
      fromMs: Math.max(fromMs, startMs),
      toMs: end,
      isUntilNow: query.isUntilNow && end === toMs,
    };
    const tallies = await readSnapshot(queries, async (snapshot) => {
      const sums = await sumUsage(snapshot, { ...query, ...bucket });
      if (query.latencies !== "none") await addLatencies(snapshot, sums.tallies, { ...query, ...bucket });
      return sums.tallies;
    });
    const groups = [...tallies.keys()].toSorted((one, other) => compare(one, other));
    const furtherGroups = groups.filter(
      (group) => after?.startMs !== startMs || compare(group, after.group) > 0,
    );
    const names = groupBy ? await readGroupNames(queries, groupBy, furtherGroups) : new Map<string, string>();
    const projects = groupBy === "api_key_id" ? await readKeyProjects(queries, furtherGroups) : null;
    for (const group of furtherGroups) {
      const figures = tallies.get(group)?.figures();
      if (!figures) continue;
      const [groupName, project] = [
        (group && names.get(group)) ?? null,
        (group && projects?.get(group)) || null,
      ];
      rows.push({ startMs, group, groupName, project, ...figures });
    }
  }
  return rows.slice(0, limit);
}

type ListedRange = Pick<UsageRowQuery, "fromMs" | "toMs" | "widthMs" | "after">;

function findFirstBucket({ fromMs, widthMs, after }: ListedRange): number {
  const ms = Math.max(fromMs, after?.startMs ?? 0);
  return ms - (ms % widthMs);
}

/** The days of a range that may have rows. Buckets longer than a day are listed without them. */
async function findDaysToList(queries: Database, range: ListedRange): Promise<number[]> {
  if (range.widthMs > DAY_MS) return [];
  return findDaysWithCalls(queries, { fromMs: findFirstBucket(range), toMs: range.toMs });
}

/**
 * The starts of the buckets of a range on days with calls, so that a range of centuries reads no more than there is.
 */
function* listBuckets(range: ListedRange, days: readonly number[]): Generator<number> {
  const { toMs, widthMs } = range;
  const first = findFirstBucket(range);
  if (widthMs > DAY_MS) return yield first;
  for (const dayMs of days) {
    const end = Math.min(toMs, dayMs + DAY_MS);
    for (let startMs = Math.max(first, dayMs); startMs < end; startMs += widthMs) yield startMs;
  }
}

/** The starts of the days (UTC) in a range with calls or refusals, ascending. */
async function findDaysWithCalls(
  queries: Database,
  { fromMs, toMs }: { fromMs: number; toMs: number },
): Promise<number[]> {
  const from = fromMs - (fromMs % DAY_MS);
  const day = sql.lit(DAY_MS);
  const { rows } = await sql<{ day_ms: number }>`
    SELECT start_ms AS day_ms FROM call_totals WHERE width_ms = ${day} AND start_ms >= ${from} AND start_ms < ${toMs}
    UNION SELECT day_ms FROM refusal_days WHERE day_ms >= ${from} AND day_ms < ${toMs}
    UNION SELECT started_at_ms - started_at_ms % ${day} FROM ledger_entries
      WHERE seq > ${await findLastSummedEntry(queries)} AND kind = 'charge' AND started_at_ms >= ${from}
        AND started_at_ms < ${toMs}
    UNION SELECT at_ms - at_ms % ${day} FROM uncharged_calls
      WHERE id IN (SELECT id FROM unsummed_calls) AND at_ms >= ${from} AND at_ms < ${toMs}
    ORDER BY 1`.execute(queries);
  return rows.map(({ day_ms }) => day_ms);
}

function compare(one: string | null, other: string | null): number {
  const [first, second] = [one ?? "", other ?? ""];
  return first === second ? 0 : first < second ? -1 : 1;
}
