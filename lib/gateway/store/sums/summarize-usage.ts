import type { Database as Sqlite } from "bun:sqlite";
import { DAY_MS } from "@/lib/contract/durations";
import { rankGroups } from "../../usage/rank-groups";
import type { UsagePart, UsageQuestion, UsageSummary } from "../../usage/usage-summary";
import { UsageTally } from "../../usage/usage-tally";
import { addLatencies } from "./add-latencies";
import { namesOf } from "./names-of-groups";
import type { RangeQuestion } from "./range-question";
import { sumUsage, type Tallies } from "./sum-usage";

/** Summarizes calls over time, in total and by their largest groups, beside the preceding range. Reads one snapshot. */
export function summarizeUsage(sqlite: Sqlite, question: UsageQuestion): UsageSummary {
  return sqlite.transaction(() => summarize(sqlite, question))();
}

function summarize(sqlite: Sqlite, question: UsageQuestion): UsageSummary {
  const { fromMs, toMs, shiftMs, groupBy } = question;
  const shifted = { ...question, fromMs: fromMs - shiftMs, toMs: toMs - shiftMs, isUntilNow: false };
  const { tally: whole, pendingCalls } = wholeOf(sqlite, question);
  const previous = wholeOf(sqlite, shifted).tally;
  const { ids, othersCount, tallies } = largestGroups(sqlite, question);
  const all = othersCount === 0 ? whole : null;
  const groups = groupsOf(sqlite, question, { ids, whole: all, tallies });
  // For the preceding range, only totals.
  const daysBefore = { ...shifted, widthMs: Math.max(shifted.widthMs, DAY_MS) };
  const allBefore = all && hasOthers(sqlite, daysBefore, ids) ? null : all && previous;
  const groupsBefore = groupsOf(sqlite, daysBefore, { ids, whole: allBefore, tallies: null });
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

/**
 * The groups to show, in order, and the number of others. Uses the totals by day where they cover the range. `tallies` is null when the
 * question's buckets are narrower than a day.
 */
function largestGroups(sqlite: Sqlite, { orderBy, ...question }: UsageQuestion) {
  if (question.groupBy === null) return { ids: [], othersCount: 0, tallies: null };
  const widthMs = Math.max(question.widthMs, DAY_MS);
  const { tallies } = sumUsage(sqlite, { ...question, widthMs });
  const { largest, others } = rankGroups(tallies, orderBy);
  return {
    ids: largest.map(([id]) => id),
    othersCount: others.size,
    tallies: widthMs === question.widthMs ? tallies : null,
  };
}

const hasOthers = (sqlite: Sqlite, question: RangeQuestion, ids: readonly (string | null)[]) =>
  [...sumUsage(sqlite, question).tallies.keys()].some((id) => !ids.includes(id));

interface ShownGroups {
  readonly ids: readonly (string | null)[];
  /** The total of these groups; null if there are others. */
  readonly whole: UsageTally | null;
  /** Already read, without latencies; null if they still have to be read. */
  readonly tallies: Tallies | null;
}

/**
 * In the order of `ids`; a group without calls is empty. If there are no other groups, the first one, the largest, is computed as the
 * whole minus the rest, which spares reading its latencies.
 */
function groupsOf(sqlite: Sqlite, question: RangeQuestion, { ids, whole, tallies }: ShownGroups): Tallies {
  const [first, ...smaller] = ids;
  if (first === undefined) return new Map();
  const read = whole ? smaller : ids;
  const found = tallies ?? sumUsage(sqlite, { ...question, groups: read }).tallies;
  const groups: Tallies = new Map(read.map((id) => [id, found.get(id) ?? new UsageTally()]));
  if (read.length > 0) addLatencies(sqlite, groups, question);
  return whole ? new Map([[first, whole.without(groups.values())], ...groups]) : groups;
}

function partOf(tally: UsageTally, previous: UsageTally): UsagePart {
  return { totals: tally.figures(), previousTotals: previous.figures(), buckets: tally.buckets() };
}
