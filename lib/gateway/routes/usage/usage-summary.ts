import { DAY_S, HOUR_S, MINUTE_S } from "@/lib/contract/durations";
import type {
  UsageFigures as FiguresReply,
  UsagePart as PartReply,
  UsageSeries as SeriesReply,
  UsageFigureName,
  UsageSummaryQuery,
  UsageSummary as UsageSummaryReply,
  UsageSumQuery,
} from "@/lib/contract/operations/usage/usage-summary";
import { formatAmount } from "@/lib/money/amount";
import { listVisibleProjects, narrowTo } from "../../access/authorize";
import type { Caller } from "../../access/caller";
import type { ClockAndRandom } from "../../clock";
import type { PagedList } from "../../lists/paged-list";
import type {
  FigureName,
  UsageBucket,
  UsageCursor,
  UsageFigures,
  UsageFilter,
  UsagePart,
  UsageRow,
  UsageSeries,
  UsageSummaryReader,
} from "../../log/usage/usage-summary";
import { invalid } from "../../refusal";
import type { AccessGraph } from "../../roles/access-graph";
import type { Handlers } from "../handler";
import { paginate } from "../paginate";

type Ids = "retrieveUsageSummary" | "retrieveOwnUsageSummary" | "listUsageSums" | "listOwnUsageSums";

interface Context {
  readonly usageSummaries: UsageSummaryReader;
  readonly graph: AccessGraph;
  readonly runtime: ClockAndRandom;
  readonly organization: { readonly currency: string };
}

const SECONDS = { "1m": MINUTE_S, "1h": HOUR_S, "1d": DAY_S } as const;
const MAX_BUCKETS = 750;
/** A hundred years of days. Series have a value for each bucket, also for those without calls. */
const MAX_SERIES_BUCKETS = 36_525;
/** The bucket width is the shortest one with at most this many buckets, which a chart can still show separately. */
const FEW_BUCKETS = 180;

export function usageSummaryRoutes(context: Context): Handlers<Ids> {
  return {
    retrieveUsageSummary: ({ query, caller }) => summarize(context, toFilter(context, query, caller), query),
    listUsageSums: ({ query, caller }) => list(context, toFilter(context, query, caller), query),
    retrieveOwnUsageSummary: ({ query, caller }) => summarize(context, createOwnFilter(query, caller), query),
    listOwnUsageSums: ({ query, caller }) => list(context, createOwnFilter(query, caller), query),
  };
}

type FilterQuery = Pick<UsageSumQuery, "project_id" | "model" | "provider" | "api_key_id" | "user_id">;

function toFilter({ graph }: Context, query: FilterQuery, caller: Caller): UsageFilter {
  const { project_id: projectId, model, provider, api_key_id: key, user_id: user } = query;
  const projectIds = narrowTo(listVisibleProjects(graph, caller, "api.usage.read"), projectId);
  const keyIds = [key, user].filter((id) => id !== undefined);
  return { projectIds, model, provider, ...(keyIds.length > 0 && { keyIds }) };
}

function createOwnFilter({ project_id, model, provider }: FilterQuery, { keyId }: Caller): UsageFilter {
  return { projectIds: narrowTo(null, project_id), model, provider, keyIds: [keyId] };
}

type RangeQuery = Pick<UsageSumQuery, "start_time" | "end_time" | "bucket_width">;

async function summarize(
  { usageSummaries, runtime, organization }: Context,
  filter: UsageFilter,
  query: UsageSummaryQuery,
): Promise<UsageSummaryReply> {
  const { start, end, width } = toRange(query, runtime.clock.nowMs());
  if (query.series && (end - start) / width > MAX_SERIES_BUCKETS)
    throw invalid("series", "The range is longer than 100 years, too long for series. Choose a shorter one.");
  const isOneBucket = query.bucket_width === "range";
  const onlyStart = isOneBucket ? start : null;
  const shift = isOneBucket ? end - start : Math.ceil((end - start) / width) * width;
  const summary = await usageSummaries.summarize({
    filter,
    fromMs: start * 1000,
    toMs: end * 1000,
    isUntilNow: query.end_time === undefined,
    widthMs: width * 1000,
    shiftMs: query.previous === false ? null : shift * 1000,
    groupBy: query.group_by ?? null,
    orderBy: query.order_by ?? "amount",
    latencies: query.latencies ?? "buckets",
    series: query.series?.map((name) => figureNames[name]),
  });
  const { groups, rest: otherGroups, previousTotals, previousBuckets, previousSeries } = summary;
  return {
    object: "usage.summary",
    start_time: start,
    end_time: end,
    bucket_seconds: isOneBucket ? end - start : width,
    currency: organization.currency,
    totals: toFigures(summary.totals),
    buckets: toBuckets(summary.buckets, onlyStart),
    ...toSeries(summary.series),
    previous: previousTotals && {
      start_time: start - shift,
      end_time: end - shift,
      totals: toFigures(previousTotals),
      buckets: toBuckets(previousBuckets, isOneBucket ? start - shift : null),
      ...toSeries(previousSeries),
    },
    group_by: query.group_by ?? null,
    groups: groups.map((group) => ({
      id: group.id,
      name: group.name,
      ...(query.group_by === "api_key_id" && { project_name: group.project?.name ?? null }),
      ...toPart(group, onlyStart),
    })),
    rest: otherGroups && { groups: otherGroups.groups, ...toPart(otherGroups, onlyStart) },
    pending_calls: summary.pendingCalls,
  };
}

async function list(
  { usageSummaries, runtime, organization }: Context,
  filter: UsageFilter,
  query: Omit<UsageSumQuery, keyof FilterQuery>,
) {
  const { start, end, width } = toRange(query, runtime.clock.nowMs());
  const isUntilNow = query.end_time === undefined;
  const range = { filter, fromMs: start * 1000, toMs: end * 1000, isUntilNow, widthMs: width * 1000 };
  const groupBy = query.group_by ?? null;
  const { after, limit } = query;
  const rowPages: PagedList<UsageRow & { readonly id: string }> = {
    has: async (id) => parseCursor(id) !== null,
    read: async (page) => {
      const from = page.after === undefined ? null : parseCursor(page.after);
      const rows = await usageSummaries.list({ ...range, groupBy, after: from, limit: page.limit });
      return rows.map((row) => ({ ...row, id: `${row.startMs / 1000}.${row.group ?? ""}` }));
    },
  };
  return paginate(rowPages, { after, limit }, ({ id, startMs, group, groupName, project, ...figures }) => ({
    object: "usage.sum" as const,
    id,
    start_time: Math.max(start, startMs / 1000),
    end_time: Math.min(end, startMs / 1000 + width),
    group_by: groupBy,
    group_id: group,
    group_name: groupName,
    ...toFigures(figures),
    currency: organization.currency,
    project_id: project?.id ?? null,
    project_name: project?.name ?? null,
  }));
}

/** The position that a row's id encodes: the start of its bucket, and its group. */
function parseCursor(id: string): UsageCursor | null {
  const [, start, group] = /^(\d{1,11})\.(.*)$/.exec(id) ?? [];
  return start === undefined ? null : { startMs: Number(start) * 1000, group: group || null };
}

/**
 * Unix seconds, on whole minutes unless the end is now.
 * @throws Refusal 400 for a range that is empty or has too many buckets.
 */
function toRange({ start_time, end_time, bucket_width }: RangeQuery, nowMs: number) {
  const end = end_time ?? Math.floor(nowMs / 1000) + 1;
  const start = start_time ?? Math.max(0, end - SECONDS["1d"]);
  if (end <= start) throw invalid("end_time", "end_time must be later than start_time.");
  // Buckets begin at multiples of their width, so the first bucket of this width contains the whole range. It is the
  // same for each second of a day, so that what was read of finished days is found again.
  if (bucket_width === "range")
    return { start, end, width: (Math.floor(end / SECONDS["1d"]) + 1) * SECONDS["1d"] };
  const fitting = Object.values(SECONDS).find((seconds) => (end - start) / seconds <= FEW_BUCKETS);
  const width = bucket_width ? SECONDS[bucket_width] : (fitting ?? SECONDS["1d"]);
  if (bucket_width && (end - start) / width > MAX_BUCKETS) {
    throw invalid(
      "bucket_width",
      `The range has more than ${MAX_BUCKETS} buckets of ${bucket_width}. Choose a longer bucket_width or a shorter range.`,
    );
  }
  return { start, end, width };
}

/** The figures by their names in replies. */
const figureNames = {
  requests: "requests",
  errors: "errors",
  refusals: "refusals",
  prompt_tokens: "promptTokens",
  completion_tokens: "completionTokens",
  cached_tokens: "cachedTokens",
  input_audio_tokens: "audioPromptTokens",
  output_audio_tokens: "audioCompletionTokens",
  amount: "amount",
  duration_p50_ms: "durationP50Ms",
  duration_p95_ms: "durationP95Ms",
  first_byte_p50_ms: "firstByteP50Ms",
  first_byte_p95_ms: "firstByteP95Ms",
} as const satisfies Record<UsageFigureName, FigureName>;

const replyNames = Object.entries(figureNames) as [UsageFigureName, FigureName][];

const toFigure = (value: UsageFigures[FigureName]) =>
  typeof value === "bigint" ? formatAmount(value) : value;

const toFigures = (figures: UsageFigures) =>
  Object.fromEntries(replyNames.map(([name, figure]) => [name, toFigure(figures[figure])])) as FiguresReply;

/** Returns nothing without series, which only a query that asks for them gets. */
function toSeries(series: UsageSeries | undefined): { series?: SeriesReply } {
  if (!series) return {};
  const values = replyNames.flatMap(([name, figure]) =>
    series[figure] ? [[name, series[figure].map(toFigure)]] : [],
  );
  return { series: Object.fromEntries(values) as SeriesReply };
}

/** @param onlyStart the start in Unix seconds if the whole range is one bucket. */
const toBuckets = (buckets: readonly UsageBucket[], onlyStart: number | null) =>
  buckets.map((bucket) => ({ start_time: onlyStart ?? bucket.startMs / 1000, ...toFigures(bucket) }));

function toPart({ totals, previousTotals, buckets, series }: UsagePart, onlyStart: number | null): PartReply {
  return {
    totals: toFigures(totals),
    previous_totals: previousTotals && toFigures(previousTotals),
    buckets: toBuckets(buckets, onlyStart),
    ...toSeries(series),
  };
}
