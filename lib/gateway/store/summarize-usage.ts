import type { Database as Sqlite } from "bun:sqlite";
import { rankGroups, tallyOf } from "../usage/rank-groups";
import type { UsagePart, UsageQuestion, UsageSummary } from "../usage/usage-summary";
import { UsageTally } from "../usage/usage-tally";
import { namesOf } from "./names-of-groups";
import { sumUsage } from "./sum-usage";

/** Sums calls over time, in all and by their largest groups, beside the same stretch before. */
export function summarizeUsage(sqlite: Sqlite, question: UsageQuestion): UsageSummary {
  const { fromMs, toMs, shiftMs, groupBy, orderBy } = question;
  const { tallies, pendingCalls } = sumUsage(sqlite, question);
  const shifted = { ...question, fromMs: fromMs - shiftMs, toMs: toMs - shiftMs };
  const before = sumUsage(sqlite, shifted).tallies;
  const previous = tallyOf(before.values());
  const whole = partOf(tallyOf(tallies.values()), previous);
  const { largest, others } = rankGroups(groupBy ? tallies : new Map<string | null, UsageTally>(), orderBy);
  const names = groupBy
    ? namesOf(
        sqlite,
        groupBy,
        largest.map(([id]) => id),
      )
    : new Map<string, string>();
  const shown = new Set(largest.map(([id]) => id));
  const hidden = [...before].filter(([id]) => !shown.has(id)).map(([, tally]) => tally);
  return {
    ...whole,
    previousBuckets: previous.buckets(),
    groups: largest.map(([id, tally]) => ({
      id,
      name: (id && names.get(id)) ?? null,
      ...partOf(tally, before.get(id) ?? new UsageTally()),
    })),
    rest:
      others.size === 0
        ? null
        : { groups: others.size, ...partOf(tallyOf(others.values()), tallyOf(hidden)) },
    pendingCalls,
  };
}

function partOf(tally: UsageTally, previous: UsageTally): UsagePart {
  return { totals: tally.figures(), previousTotals: previous.figures(), buckets: tally.buckets() };
}
