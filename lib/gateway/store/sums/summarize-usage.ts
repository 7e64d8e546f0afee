import type { Database as Sqlite } from "bun:sqlite";
import { DAY_MS } from "@/lib/contract/durations";
import { rankGroups } from "../../usage/rank-groups";
import type { UsagePart, UsageQuestion, UsageSummary } from "../../usage/usage-summary";
import { UsageTally } from "../../usage/usage-tally";
import { addLatencies } from "./add-latencies";
import { isMember, type RangeQuestion } from "./range-question";
import { readGroupNames, readKeyProjects } from "./read-group-names";
import { type RefusalSum, readRefusals, selectRefusals } from "./refusal-sums";
import { sumUsage, type Tallies } from "./sum-usage";

/** Summarizes calls over time, in total and by their largest groups, beside the preceding range. Reads one snapshot. */
export function summarizeUsage(sqlite: Sqlite, question: UsageQuestion): UsageSummary {
  return sqlite.transaction(() => summarize(sqlite, question))();
}

function summarize(sqlite: Sqlite, asked: UsageQuestion): UsageSummary {
  const { fromMs, toMs, shiftMs, groupBy } = asked;
  const question = withRefusals(sqlite, asked);
  const shifted = withRefusals(sqlite, {
    ...asked,
    fromMs: fromMs - shiftMs,
    toMs: toMs - shiftMs,
    isUntilNow: false,
  });
  const { tally: wholeTally, pendingCalls } = sumWhole(sqlite, question);
  const previous = sumWhole(sqlite, shifted).tally;
  const { ids, othersCount } = largestGroups(sqlite, question);
  const isWhole = othersCount === 0;
  const groups = tallyGroups(sqlite, question, { ids, wholeTally, isWhole });
  // For the preceding range, only totals.
  const questionBefore = {
    ...inOneBucket(shifted),
    latencies: shifted.latencies === "none" ? "none" : "totals",
  } as const;
  const groupsBefore = tallyGroups(sqlite, questionBefore, {
    ids,
    wholeTally: previous,
    isWhole: isWhole && !hasOthers(sqlite, questionBefore, ids),
  });
  const names = groupBy ? readGroupNames(sqlite, groupBy, ids) : new Map<string, string>();
  const projects = groupBy === "api_key_id" ? readKeyProjects(sqlite, ids) : null;
  return {
    ...buildPart(wholeTally, previous),
    previousBuckets: previous.buckets(),
    groups: [...groups].map(([id, tally]) => ({
      id,
      name: (id && names.get(id)) ?? null,
      ...(projects && { projectName: (id && projects.get(id)?.name) ?? null }),
      ...buildPart(tally, groupsBefore.get(id) ?? new UsageTally()),
    })),
    rest:
      othersCount === 0
        ? null
        : {
            groups: othersCount,
            ...buildPart(wholeTally.without(groups.values()), previous.without(groupsBefore.values())),
          },
    pendingCalls,
  };
}

/** With the refusals of its range by bucket and group, which are read once for all sums of the range. */
type SummaryQuestion = RangeQuestion &
  Pick<UsageQuestion, "latencies"> & { readonly refusals: readonly RefusalSum[] };

const withRefusals = (sqlite: Sqlite, question: UsageQuestion) => ({
  ...question,
  refusals: readRefusals(sqlite, question),
});

const sumRange = (sqlite: Sqlite, question: SummaryQuestion) =>
  sumUsage(sqlite, question, selectRefusals(question.refusals, question));

function sumWhole(sqlite: Sqlite, question: SummaryQuestion) {
  const wholeQuestion = { ...question, groupBy: null };
  const { tallies, pendingCalls } = sumRange(sqlite, wholeQuestion);
  const tally = tallies.get(null) ?? new UsageTally();
  addChosenLatencies(sqlite, new Map([[null, tally]]), wholeQuestion);
  return { tally, pendingCalls };
}

/** Latencies of totals are read from sums as wide as possible: seven days instead of 168 hours. */
function addChosenLatencies(sqlite: Sqlite, tallies: Tallies, question: SummaryQuestion): void {
  const { latencies } = question;
  if (latencies === "none") return;
  const isByBucket = latencies === "buckets";
  addLatencies(sqlite, tallies, isByBucket ? question : inOneBucket(question), isByBucket);
}

/** The same range as a single bucket: buckets begin at multiples of their width, so this one begins at 0. */
const inOneBucket = <Question extends RangeQuestion>(question: Question): Question => ({
  ...question,
  widthMs: Math.max(question.widthMs, Math.ceil(question.toMs / DAY_MS) * DAY_MS + DAY_MS),
});

/** The groups to show, in order, and the number of others. SQL adds up the days of each, of which there may be many. */
function largestGroups(sqlite: Sqlite, { orderBy, ...question }: UsageQuestion & SummaryQuestion) {
  if (question.groupBy === null) return { ids: [], othersCount: 0 };
  const { largest, others: otherTallies } = rankGroups(
    sumRange(sqlite, inOneBucket(question)).tallies,
    orderBy,
  );
  return { ids: largest.map(([id]) => id), othersCount: otherTallies.size };
}

const hasOthers = (sqlite: Sqlite, question: SummaryQuestion, ids: readonly (string | null)[]) =>
  [...sumRange(sqlite, question).tallies.keys()].some((id) => !ids.includes(id));

interface ShownGroups {
  readonly ids: readonly (string | null)[];
  /** The total of all groups. */
  readonly wholeTally: UsageTally;
  /** Whether there are no other groups. */
  readonly isWhole: boolean;
}

/**
 * In the order of `ids`; a group without calls is empty. If there are no other groups, the first one, the largest, is computed as the
 * whole minus the rest, which spares reading its latencies. All keys are one group among members: it is the whole minus the members, who
 * call far less.
 */
function tallyGroups(
  sqlite: Sqlite,
  question: SummaryQuestion,
  { ids, wholeTally, isWhole }: ShownGroups,
): Tallies {
  const [first, ...smaller] = ids;
  if (first === undefined) return new Map();
  const neededGroups = isWhole ? smaller : ids;
  const hasKeys = neededGroups.includes(null) && isByMember(question);
  const readGroups = hasKeys ? neededGroups.filter((id) => id !== null) : neededGroups;
  const tallies = sumRange(sqlite, { ...question, groups: readGroups }).tallies;
  const groups: Tallies = new Map(readGroups.map((id) => [id, tallies.get(id) ?? new UsageTally()]));
  if (readGroups.length > 0) addChosenLatencies(sqlite, groups, question);
  if (hasKeys) groups.set(null, wholeTally.without([tallyMembers(sqlite, question)]));
  if (isWhole) groups.set(first, wholeTally.without(groups.values()));
  return new Map(ids.map((id) => [id, groups.get(id) ?? new UsageTally()]));
}

const isByMember = ({ groupBy, latencies, filter }: SummaryQuestion) =>
  groupBy === "user_id" && latencies !== "none" && filter.keyIds === undefined;

function tallyMembers(sqlite: Sqlite, question: SummaryQuestion): UsageTally {
  const asked: SummaryQuestion = {
    ...question,
    groupBy: null,
    only: { sql: `AND ${isMember}`, values: [] },
    columns: ["key_id"],
    refusals: question.refusals.filter(({ group }) => group !== null),
  };
  const tally = sumRange(sqlite, asked).tallies.get(null) ?? new UsageTally();
  addChosenLatencies(sqlite, new Map([[null, tally]]), asked);
  return tally;
}

function buildPart(tally: UsageTally, previous: UsageTally): UsagePart {
  return { totals: tally.figures(), previousTotals: previous.figures(), buckets: tally.buckets() };
}
