import type { Database as Sqlite } from "bun:sqlite";
import type { UsageRow, UsageRowQuery } from "../../usage/usage-summary";
import { addLatencies } from "./add-latencies";
import { readGroupNames, readKeyProjects } from "./read-group-names";
import { sumUsage } from "./sum-usage";

/** Rows of usage in order, bucket by bucket: sums no more of a range than is requested. */
export function listUsage(sqlite: Sqlite, query: UsageRowQuery): UsageRow[] {
  const { fromMs, toMs, widthMs, groupBy, after, limit } = query;
  const rows: UsageRow[] = [];
  const first = after?.startMs ?? fromMs - (fromMs % widthMs);
  for (let startMs = first; startMs < toMs && rows.length < limit; startMs += widthMs) {
    const end = Math.min(toMs, startMs + widthMs);
    const bucket = {
      fromMs: Math.max(fromMs, startMs),
      toMs: end,
      isUntilNow: query.isUntilNow && end === toMs,
    };
    const { tallies } = sumUsage(sqlite, { ...query, ...bucket });
    addLatencies(sqlite, tallies, { ...query, ...bucket });
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

function compare(one: string | null, other: string | null): number {
  const [first, second] = [one ?? "", other ?? ""];
  return first === second ? 0 : first < second ? -1 : 1;
}
