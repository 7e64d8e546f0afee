import type { FindInAddress } from "@/components/ui/filters/time-range";
import { parseTimeRange, type RangeChoice, ranges } from "@/components/ui/filters/time-range";
import type { ReadId, ReadParameters } from "@/lib/console/reads/reads";
import type { UsageDimension } from "@/lib/contract/calls/usage-dimensions";
import { usageDimensions } from "@/lib/contract/calls/usage-dimensions";
import { DAY_S, HOUR_S, MINUTE_S } from "@/lib/contract/durations";
import type { BucketWidth } from "@/lib/contract/operations/usage/usage";
import { DEFAULT_METRIC, isMetric, metrics } from "./metrics";

export const DEFAULT_RANGE: RangeChoice = "7d";

export const filterNames = usageDimensions;

const WIDTHS = { "1m": MINUTE_S, "1h": HOUR_S, "1d": DAY_S } as const satisfies Record<BucketWidth, number>;
const MAX_BARS = 180;

/** The view from the address. */
export interface UsageView {
  readonly metric: keyof typeof metrics;
  readonly grouping: Grouping;
  /** The groupings to choose from: without callers if there is only one, the person. */
  readonly groupings: readonly Grouping[];
  readonly parameters: ReadParameters;
  /** The filters that are set. */
  readonly active: readonly string[];
}

/**
 * Reads the address. Ignores invalid values, since people edit addresses by hand. Ranges that end now are counted from
 * `openedAt`, when the page was rendered, and start with a whole bucket.
 */
export function parseUsageView(findInAddress: FindInAddress, openedAt: number, read: UsageRead): UsageView {
  const named = findInAddress("metric");
  const metric = isMetric(named) ? named : DEFAULT_METRIC;
  const usual = read === "retrieveOwnUsageSummary" ? "model" : "project_id";
  const canGroupByCaller = read === "retrieveUsageSummary";
  const isAllowed = (name: string) => canGroupByCaller || (name !== "api_key_id" && name !== "user_id");
  const groupings = [...usageDimensions, "none" as const].filter(isAllowed);
  const grouping = groupings.find((one) => one === findInAddress("group_by")) ?? usual;
  const allowed = filterNames.filter(isAllowed);
  const active = allowed.filter((name) => findInAddress(name).trim() !== "");
  const parameters = {
    ...Object.fromEntries(active.map((name) => [name, findInAddress(name).trim()])),
    ...parseRange(findInAddress, openedAt),
    group_by: grouping === "none" ? undefined : grouping,
    order_by: metrics[metric].order,
    latencies: metric === "latency" ? undefined : "totals",
    series: metrics[metric].figures.join(","),
  };
  return { metric, grouping, groupings, parameters, active };
}

/** Usage of everybody the person can see, or only their own. */
export type UsageRead = Extract<ReadId, "retrieveUsageSummary" | "retrieveOwnUsageSummary">;

function parseRange(findInAddress: FindInAddress, openedAt: number): ReadParameters {
  const range = parseTimeRange(
    findInAddress("range") === "all" ? () => "" : findInAddress,
    openedAt,
    DEFAULT_RANGE,
  );
  const end = range.end ?? openedAt;
  const start = range.start ?? end - ranges["7d"].seconds;
  const chosen = Object.keys(WIDTHS).find((width) => width === findInAddress("bucket_width")) as
    | BucketWidth
    | undefined;
  const fits = (width: BucketWidth) => (end - start) / WIDTHS[width] <= 4 * MAX_BARS;
  const width =
    chosen && fits(chosen) ? chosen : (widths.find((one) => (end - start) / WIDTHS[one] <= MAX_BARS) ?? "1d");
  const first = range.end === null ? start - (start % WIDTHS[width]) : start;
  return {
    start_time: String(Math.max(0, Math.min(first, end - 1))),
    end_time: range.end === null ? undefined : String(end),
    bucket_width: width,
  };
}

const widths = Object.keys(WIDTHS) as readonly BucketWidth[];

/** A dimension to group by, or none. */
export type Grouping = UsageDimension | "none";

export const groupingNames: readonly { readonly value: Grouping; readonly label: string }[] = [
  { value: "project_id", label: "Project" },
  { value: "model", label: "Model" },
  { value: "provider", label: "Provider" },
  { value: "api_key_id", label: "Key" },
  { value: "user_id", label: "Member" },
  { value: "none", label: "Nothing" },
];
