import type { SQLQueryBindings, Database as Sqlite } from "bun:sqlite";
import { DAY_MS } from "@/lib/contract/durations";
import type { UsageDimension } from "@/lib/contract/operations/usage/usage-summary";
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
export function readGroupNames(
  sqlite: Sqlite,
  dimension: UsageDimension,
  groups: readonly (string | null)[],
): Map<string, string> {
  const ids = JSON.stringify(groups);
  const rows = nameColumns[dimension].flatMap((table) =>
    sqlite
      .query<{ id: string; name: string }, [string]>(
        `SELECT id, name FROM ${table} WHERE id IN (SELECT value FROM json_each(?))`,
      )
      .all(ids),
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Reads the project of each key; those of the organization have none. */
export function readKeyProjects(
  sqlite: Sqlite,
  keyIds: readonly (string | null)[],
): Map<string, { id: string; name: string }> {
  const rows = sqlite
    .query<{ keyId: string; id: string; name: string }, [string]>(
      `SELECT key.id AS keyId, project.id, project.name
       FROM project_api_keys key JOIN projects project ON project.id = key.project_id
       WHERE key.id IN (SELECT value FROM json_each(?))`,
    )
    .all(JSON.stringify(keyIds));
  return new Map(rows.map(({ keyId, ...project }) => [keyId, project]));
}

/** Rows of usage in order, bucket by bucket: sums no more of a range than is requested. */
export function listUsage(sqlite: Sqlite, query: UsageRowQuery): UsageRow[] {
  const { fromMs, toMs, widthMs, groupBy, after, limit } = query;
  const rows: UsageRow[] = [];
  for (const startMs of findBuckets(sqlite, query)) {
    if (rows.length >= limit) break;
    const end = Math.min(toMs, startMs + widthMs);
    const bucket = {
      fromMs: Math.max(fromMs, startMs),
      toMs: end,
      isUntilNow: query.isUntilNow && end === toMs,
    };
    const { tallies } = sumUsage(sqlite, { ...query, ...bucket });
    if (query.latencies !== "none") addLatencies(sqlite, tallies, { ...query, ...bucket });
    const groups = [...tallies.keys()].toSorted((one, other) => compare(one, other));
    const furtherGroups = groups.filter(
      (group) => after?.startMs !== startMs || compare(group, after.group) > 0,
    );
    const names = groupBy ? readGroupNames(sqlite, groupBy, furtherGroups) : new Map<string, string>();
    const projects = groupBy === "api_key_id" ? readKeyProjects(sqlite, furtherGroups) : null;
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

/**
 * The starts of the buckets of a range on days with calls, so that a range of centuries reads no more than there is.
 */
function* findBuckets(
  sqlite: Sqlite,
  { fromMs, toMs, widthMs, after }: Pick<UsageRowQuery, "fromMs" | "toMs" | "widthMs" | "after">,
): Generator<number> {
  const align = (ms: number) => ms - (ms % widthMs);
  const first = align(Math.max(fromMs, after?.startMs ?? 0));
  if (widthMs > DAY_MS) return yield first;
  for (const dayMs of findDaysWithCalls(sqlite, { fromMs: first, toMs })) {
    const end = Math.min(toMs, dayMs + DAY_MS);
    for (let startMs = Math.max(first, dayMs); startMs < end; startMs += widthMs) yield startMs;
  }
}

/** The starts of the days (UTC) in a range with calls or refusals, ascending. */
function findDaysWithCalls(sqlite: Sqlite, { fromMs, toMs }: { fromMs: number; toMs: number }): number[] {
  const range = [fromMs - (fromMs % DAY_MS), toMs];
  const days = sqlite
    .query<{ day_ms: number }, SQLQueryBindings[]>(
      `SELECT start_ms AS day_ms FROM call_totals WHERE width_ms = ${DAY_MS} AND start_ms >= ? AND start_ms < ?
       UNION SELECT day_ms FROM refusal_days WHERE day_ms >= ? AND day_ms < ?
       UNION SELECT started_at_ms - started_at_ms % ${DAY_MS} FROM ledger_entries
         WHERE seq > ? AND kind = 'charge' AND started_at_ms >= ? AND started_at_ms < ?
       UNION SELECT at_ms - at_ms % ${DAY_MS} FROM uncharged_calls
         WHERE id IN (SELECT id FROM unsummed_calls) AND at_ms >= ? AND at_ms < ?
       ORDER BY 1`,
    )
    .all(...range, ...range, findLastSummedEntry(sqlite), ...range, ...range);
  return days.map(({ day_ms }) => day_ms);
}

function compare(one: string | null, other: string | null): number {
  const [first, second] = [one ?? "", other ?? ""];
  return first === second ? 0 : first < second ? -1 : 1;
}
