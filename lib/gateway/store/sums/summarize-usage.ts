import type { Database as Sqlite } from "bun:sqlite";
import { DAY_MS } from "@/lib/contract/durations";
import { rankGroups } from "../../usage/rank-groups";
import type { UsagePart, UsageQuestion, UsageSummary } from "../../usage/usage-summary";
import { UsageTally } from "../../usage/usage-tally";
import { addLatencies } from "./add-latencies";
import { namesOf } from "./names-of-groups";
import { sumUsage, type Tallies } from "./sum-usage";
import type { RangeQuestion } from "./usage-parts";

/** Summarizes calls over time, in total and by their largest groups, beside the preceding range. Reads one snapshot. */
export function summarizeUsage(sqlite: Sqlite, question: UsageQuestion): UsageSummary {
  return sqlite.transaction(() => summarize(sqlite, question))();
}

function summarize(sqlite: Sqlite, question: UsageQuestion): UsageSummary {
  const { fromMs, toMs, shiftMs, groupBy } = question;
  const shifted = { ...question, fromMs: fromMs - shiftMs, toMs: toMs - shiftMs };
  const { tally: whole, pendingCalls } = wholeOf(sqlite, question);
  const previous = wholeOf(sqlite, shifted).tally;
  const { ids, othersCount } = largestGroups(sqlite, question);
  const groups = groupsOf(sqlite, question, ids);
  // For the preceding range, only totals.
  const groupsBefore = groupsOf(sqlite, { ...shifted, widthMs: Math.max(shifted.widthMs, DAY_MS) }, ids);
  const names = groupBy ? namesOf(sqlite, groupBy, ids) : new Map<string, string>();
  return {
    ...partOf(whole, previous),
    previousBuckets: previous.buckets(),
    groups: [...groups].map(([id, tally]) => ({
      id,
      name: (id && names.get(id)) ?? null,
      ...partOf(tally, groupsBefore.get(id) ?? new UsageTally()),
    })),
    rest:
      othersCount === 0
        ? null
        : {
            groups: othersCount,
            ...partOf(whole.without(groups.values()), previous.without(groupsBefore.values())),
          },
    pendingCalls,
  };
}

function wholeOf(sqlite: Sqlite, question: RangeQuestion) {
  const all = { ...question, groupBy: null };
  const { tallies, pendingCalls } = sumUsage(sqlite, all);
  const tally = tallies.get(null) ?? new UsageTally();
  addLatencies(sqlite, new Map([[null, tally]]), all);
  return { tally, pendingCalls };
}

/** The groups to show, in order, and the number of others. Uses the totals by day where they cover the range. */
function largestGroups(sqlite: Sqlite, { orderBy, ...question }: UsageQuestion) {
  if (question.groupBy === null) return { ids: [], othersCount: 0 };
  const widthMs = Math.max(question.widthMs, DAY_MS);
  const { largest, others } = rankGroups(sumUsage(sqlite, { ...question, widthMs }).tallies, orderBy);
  return { ids: largest.map(([id]) => id), othersCount: others.size };
}

/** In the order of `ids`; a group without calls is empty. */
function groupsOf(sqlite: Sqlite, question: RangeQuestion, ids: readonly (string | null)[]): Tallies {
  if (ids.length === 0) return new Map();
  const found = sumUsage(sqlite, { ...question, groups: ids }).tallies;
  const tallies: Tallies = new Map(ids.map((id) => [id, found.get(id) ?? new UsageTally()]));
  addLatencies(sqlite, tallies, question);
  return tallies;
}

function partOf(tally: UsageTally, previous: UsageTally): UsagePart {
  return { totals: tally.figures(), previousTotals: previous.figures(), buckets: tally.buckets() };
}
