import type { Database as Sqlite } from "bun:sqlite";
import { rankGroups, tallyOf } from "../../usage/rank-groups";
import type { UsagePart, UsageQuestion, UsageSummary } from "../../usage/usage-summary";
import { UsageTally } from "../../usage/usage-tally";
import { addLatencies } from "./add-latencies";
import { namesOf } from "./names-of-groups";
import { sumUsage, type Tallies } from "./sum-usage";

/** Sums calls over time, in all and by their largest groups, beside the same stretch before. Reads in one snapshot. */
export function summarizeUsage(sqlite: Sqlite, question: UsageQuestion): UsageSummary {
  return sqlite.transaction(() => summarize(sqlite, question))();
}

function summarize(sqlite: Sqlite, question: UsageQuestion): UsageSummary {
  const { fromMs, toMs, shiftMs, groupBy, orderBy } = question;
  const shifted = { ...question, fromMs: fromMs - shiftMs, toMs: toMs - shiftMs };
  const { tallies, pendingCalls } = sumUsage(sqlite, question);
  const before = sumUsage(sqlite, shifted).tallies;
  const [whole, previous] = [tallyOf(tallies.values()), tallyOf(before.values())];
  addLatencies(sqlite, new Map([[null, whole]]), { ...question, groupBy: null });
  addLatencies(sqlite, new Map([[null, previous]]), { ...shifted, groupBy: null });
  const { largest, others } = rankGroups(groupBy ? tallies : new Map<string | null, UsageTally>(), orderBy);
  const ids = largest.map(([id]) => id);
  const shownBefore: Tallies = new Map(ids.map((id) => [id, before.get(id) ?? new UsageTally()]));
  if (groupBy) {
    addLatencies(sqlite, new Map(largest), question);
    addLatencies(sqlite, shownBefore, shifted);
  }
  const names = groupBy ? namesOf(sqlite, groupBy, ids) : new Map<string, string>();
  return {
    ...partOf(whole, previous),
    previousBuckets: previous.buckets(),
    groups: largest.map(([id, tally]) => ({
      id,
      name: (id && names.get(id)) ?? null,
      ...partOf(tally, shownBefore.get(id) ?? new UsageTally()),
    })),
    rest:
      others.size === 0
        ? null
        : {
            groups: others.size,
            ...partOf(
              whole.without(largest.map(([, tally]) => tally)),
              previous.without(shownBefore.values()),
            ),
          },
    pendingCalls,
  };
}

function partOf(tally: UsageTally, previous: UsageTally): UsagePart {
  return { totals: tally.figures(), previousTotals: previous.figures(), buckets: tally.buckets() };
}
