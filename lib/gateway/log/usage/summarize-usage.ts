import { DAY_MS } from "@/lib/contract/durations";
import { type Database, readSnapshot } from "../../database/database";
import { readGroupNames, readKeyProjects } from "./list-usage.sql";
import { isMember, type RangeQuery } from "./range-query.sql";
import { isSummedByDimension } from "./sum-parts.sql";
import {
  addLatencies,
  type RefusalSum,
  readRefusals,
  selectRefusals,
  sumUsage,
  type Tallies,
} from "./sum-usage.sql";
import type { UsagePart, UsageQuery, UsageSummary } from "./usage-summary";
import { rankGroups, UsageTally } from "./usage-tally";

/** Summarizes calls over time, in total and by their largest groups, beside the preceding range. Reads one snapshot. */
export function summarizeUsage(queries: Database, query: UsageQuery): Promise<UsageSummary> {
  return readSnapshot(queries, (snapshot) => summarize(snapshot, query));
}

async function summarize(queries: Database, usageQuery: UsageQuery): Promise<UsageSummary> {
  const { groupBy } = usageQuery;
  const query = await withRefusals(queries, usageQuery);
  const { tally: wholeTally, pendingCalls } = await sumWhole(queries, query);
  const { ids, othersCount, tallies } = await findLargestGroups(queries, query);
  const isWhole = othersCount === 0;
  const groups = await tallyGroups(queries, query, { ids, wholeTally, isWhole, tallies });
  const before = await summarizeBefore(queries, usageQuery, { ids, isWhole });
  const names = groupBy ? await readGroupNames(queries, groupBy, ids) : new Map<string, string>();
  const projects = groupBy === "api_key_id" ? await readKeyProjects(queries, ids) : null;
  const buildPart = createPartBuilder(query);
  return {
    ...buildPart(wholeTally, before && before.tally),
    previousBuckets: before?.buckets ?? [],
    previousSeries: before?.series,
    groups: [...groups].map(([id, tally]) => ({
      id,
      name: (id && names.get(id)) ?? null,
      project: (id && projects?.get(id)) || null,
      ...buildPart(tally, before && (before.groups.get(id) ?? new UsageTally())),
    })),
    rest:
      othersCount === 0
        ? null
        : {
            groups: othersCount,
            ...buildPart(
              wholeTally.without(groups.values()),
              before && before.tally.without(before.groups.values()),
            ),
          },
    pendingCalls,
  };
}

/** The same groups in the comparison range, of which only the whole has buckets; null without one. */
async function summarizeBefore(
  queries: Database,
  query: UsageQuery,
  { ids, isWhole }: Pick<ShownGroups, "ids" | "isWhole">,
) {
  const { fromMs, toMs, shiftMs } = query;
  if (shiftMs === null) return null;
  const shifted = await withRefusals(queries, {
    ...query,
    fromMs: fromMs - shiftMs,
    toMs: toMs - shiftMs,
    isUntilNow: false,
  });
  const { tally } = await sumWhole(queries, shifted);
  const queryBefore = {
    ...inOneBucket(shifted),
    latencies: shifted.latencies === "none" ? "none" : "totals",
  } as const;
  const groups = await tallyGroups(queries, queryBefore, {
    ids,
    wholeTally: tally,
    isWhole: isWhole && !(await hasOthers(queries, queryBefore, ids)),
  });
  return { tally, groups, ...describeBuckets(shifted, tally) };
}

/** A query and the refusals of its range by bucket and group, which are read once for all sums of the range. */
type SummaryQuery = RangeQuery & Pick<UsageQuery, "latencies"> & { readonly refusals: readonly RefusalSum[] };

const withRefusals = async (queries: Database, query: UsageQuery) => ({
  ...query,
  refusals: await readRefusals(queries, query),
});

const sumRange = (queries: Database, query: SummaryQuery) =>
  sumUsage(queries, query, selectRefusals(query.refusals, query));

async function sumWhole(queries: Database, query: SummaryQuery) {
  const wholeQuery = { ...query, groupBy: null };
  const { tallies, pendingCalls } = await sumRange(queries, wholeQuery);
  const tally = tallies.get(null) ?? new UsageTally();
  await addChosenLatencies(queries, new Map([[null, tally]]), wholeQuery);
  return { tally, pendingCalls };
}

/** Latencies of totals are read from sums as wide as possible: seven days instead of 168 hours. */
async function addChosenLatencies(queries: Database, tallies: Tallies, query: SummaryQuery): Promise<void> {
  const { latencies } = query;
  if (latencies === "none") return;
  const isByBucket = latencies === "buckets";
  await addLatencies(queries, tallies, isByBucket ? query : inOneBucket(query), isByBucket);
}

/** The same range as a single bucket: buckets begin at multiples of their width, so this one begins at 0. */
const inOneBucket = <Query extends RangeQuery>(query: Query): Query => ({
  ...query,
  widthMs: Math.max(query.widthMs, Math.ceil(query.toMs / DAY_MS) * DAY_MS + DAY_MS),
});

/** If there are more buckets than this, SQL adds up each group's, since there may be many groups. */
const MAX_BUCKETS = 31;

interface LargestGroups {
  /** The ids of the groups, the largest first. */
  readonly ids: readonly (string | null)[];
  readonly othersCount: number;
  /** The tallies of all groups by bucket, if they were read. */
  readonly tallies?: Tallies;
}

async function findLargestGroups(
  queries: Database,
  { orderBy, ...query }: UsageQuery & SummaryQuery,
): Promise<LargestGroups> {
  if (query.groupBy === null) return { ids: [], othersCount: 0 };
  const isReadOnce = !isSummedByDimension(query) && query.toMs - query.fromMs <= MAX_BUCKETS * query.widthMs;
  const { tallies } = await sumRange(queries, isReadOnce ? query : inOneBucket(query));
  const { largest, others: otherTallies } = rankGroups(tallies, orderBy);
  const found = { ids: largest.map(([id]) => id), othersCount: otherTallies.size };
  return isReadOnce ? { ...found, tallies } : found;
}

const hasOthers = async (queries: Database, query: SummaryQuery, ids: readonly (string | null)[]) =>
  [...(await sumRange(queries, query)).tallies.keys()].some((id) => !ids.includes(id));

interface ShownGroups {
  readonly ids: readonly (string | null)[];
  /** The tallies of these groups and others, if they were read. */
  readonly tallies?: Tallies | undefined;
  /** The total of all groups. */
  readonly wholeTally: UsageTally;
  /** Whether there are no other groups. */
  readonly isWhole: boolean;
}

/**
 * Tallies the groups in the order of `ids`. If there are no others, the first and largest is the whole minus the rest,
 * which spares reading its latencies. Among members, all keys are one group: the whole minus the members, who call far
 * less.
 */
async function tallyGroups(
  queries: Database,
  query: SummaryQuery,
  { ids, wholeTally, isWhole, tallies: readTallies }: ShownGroups,
): Promise<Tallies> {
  const [first, ...smaller] = ids;
  if (first === undefined) return new Map();
  const neededGroups = isWhole ? smaller : ids;
  const hasKeys = neededGroups.includes(null) && isByMember(query);
  const readGroups = hasKeys ? neededGroups.filter((id) => id !== null) : neededGroups;
  const tallies = readTallies ?? (await sumRange(queries, { ...query, groups: readGroups })).tallies;
  const groups: Tallies = new Map(readGroups.map((id) => [id, tallies.get(id) ?? new UsageTally()]));
  if (readGroups.length > 0) await addChosenLatencies(queries, groups, query);
  if (hasKeys) groups.set(null, wholeTally.without([await tallyMembers(queries, query)]));
  if (isWhole) groups.set(first, wholeTally.without(groups.values()));
  return new Map(ids.map((id) => [id, groups.get(id) ?? new UsageTally()]));
}

const isByMember = ({ groupBy, latencies, filter }: SummaryQuery) =>
  groupBy === "user_id" && latencies !== "none" && filter.keyIds === undefined;

async function tallyMembers(queries: Database, query: SummaryQuery): Promise<UsageTally> {
  const memberQuery: SummaryQuery = {
    ...query,
    groupBy: null,
    extraCondition: isMember,
    columns: ["key_id"],
    refusals: query.refusals.filter(({ group }) => group !== null),
  };
  const tally = (await sumRange(queries, memberQuery)).tallies.get(null) ?? new UsageTally();
  await addChosenLatencies(queries, new Map([[null, tally]]), memberQuery);
  return tally;
}

/** The buckets of a tally or, in their place, the series that the query asks for. */
function describeBuckets(
  query: Pick<UsageQuery, "fromMs" | "toMs" | "widthMs" | "series">,
  tally: UsageTally,
) {
  const { fromMs, toMs, widthMs, series } = query;
  if (!series) return { buckets: tally.buckets(), series };
  const firstMs = fromMs - (fromMs % widthMs);
  const starts = Array.from(
    { length: Math.ceil((toMs - firstMs) / widthMs) },
    (_, index) => firstMs + index * widthMs,
  );
  return { buckets: [], series: tally.series(series, starts) };
}

const createPartBuilder =
  (query: UsageQuery) =>
  (tally: UsageTally, previous: UsageTally | null): UsagePart => ({
    totals: tally.figures(),
    previousTotals: previous && previous.figures(),
    ...describeBuckets(query, tally),
  });
