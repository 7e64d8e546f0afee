import type { Database as Sqlite } from "bun:sqlite";
import type { UsageRow, UsageRowQuestion } from "../../usage/usage-summary";
import { addLatencies } from "./add-latencies";
import { namesOf } from "./names-of-groups";
import { sumUsage } from "./sum-usage";

/** Rows of usage in order, bucket by bucket: sums no more of a range than is requested. */
export function listUsage(sqlite: Sqlite, question: UsageRowQuestion): UsageRow[] {
  const { fromMs, toMs, widthMs, groupBy, after, limit } = question;
  const rows: UsageRow[] = [];
  const first = after?.startMs ?? fromMs - (fromMs % widthMs);
  for (let startMs = first; startMs < toMs && rows.length < limit; startMs += widthMs) {
    const end = Math.min(toMs, startMs + widthMs);
    const bucket = {
      fromMs: Math.max(fromMs, startMs),
      toMs: end,
      isUntilNow: question.isUntilNow && end === toMs,
    };
    const { tallies } = sumUsage(sqlite, { ...question, ...bucket });
    addLatencies(sqlite, tallies, { ...question, ...bucket });
    const groups = [...tallies.keys()].toSorted((one, other) => compare(one, other));
    const further = groups.filter((of) => after?.startMs !== startMs || compare(of, after.group) > 0);
    const names = groupBy ? namesOf(sqlite, groupBy, further) : new Map<string, string>();
    for (const group of further) {
      const figures = tallies.get(group)?.figures();
      if (figures) rows.push({ startMs, group, groupName: (group && names.get(group)) ?? null, ...figures });
    }
  }
  return rows.slice(0, limit);
}

function compare(one: string | null, other: string | null): number {
  const [first, second] = [one ?? "", other ?? ""];
  return first === second ? 0 : first < second ? -1 : 1;
}
