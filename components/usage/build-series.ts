import { assignColors, type ChartSeries, type ChartValue } from "@/components/ui/chart/chart-series";
import { countNouns } from "@/components/ui/values/group-digits";
import type {
  UsageFigures,
  UsageGroup,
  UsageSeries,
  UsageSummary,
} from "@/lib/contract/operations/usage/usage-summary";
import { listFigures } from "./list-figures";
import type { Metric } from "./metrics";
import type { Grouping } from "./usage-query";

/** Returns the start of each bucket. */
export function listBucketTimes({ start_time, end_time, bucket_seconds: seconds }: UsageSummary): number[] {
  const first = start_time - (start_time % seconds);
  return Array.from(
    { length: Math.max(1, Math.ceil((end_time - first) / seconds)) },
    (_, at) => first + at * seconds,
  );
}

/** Returns the series of a metric: one per group, or else one per part. */
export function buildSeries(summary: UsageSummary, metric: Metric): ChartSeries[] {
  if (summary.group_by === null) {
    return metric.parts
      .filter(({ isRare, readValue }) => !isRare || readValue(summary.totals).height !== 0)
      .map(({ id, label, color, readValue }) => ({
        id,
        label,
        color,
        values: readValues(summary.series, readValue),
      }));
  }
  const colors = assignColors(summary.groups.map(({ id }) => id ?? ""));
  const groups = summary.groups.map(
    (group): ChartSeries => ({
      id: `group ${group.id ?? ""}`,
      label: labelGroup(summary.group_by ?? "none", group),
      color: colors.get(group.id ?? "") ?? "rest",
      values: readValues(group.series, metric.whole),
    }),
  );
  const { rest } = summary;
  if (!rest) return groups;
  const label = countNouns(rest.groups, "other");
  return [...groups, { id: "rest", label, color: "rest", values: readValues(rest.series, metric.whole) }];
}

/** Returns the values of all groups together by bucket. */
export function listValues(summary: Pick<UsageSummary, "series">, metric: Metric): ChartValue[] {
  return readValues(summary.series, metric.whole);
}

/** Returns the previous period's values by bucket; none if the summary was read without it. */
export function listPreviousValues(summary: UsageSummary, metric: Metric): ChartValue[] {
  return readValues(summary.previous?.series, metric.whole);
}

export function formatTotals(summary: UsageSummary, metric: Metric): string[] {
  return listValues(summary, metric).map(({ text }) => text);
}

const readValues = (
  series: UsageSeries | undefined,
  readValue: (figures: UsageFigures) => ChartValue,
): ChartValue[] => listFigures(series).map(readValue);

const withoutId: Record<Grouping, string> = {
  project_id: "No project",
  model: "No model",
  provider: "No provider",
  api_key_id: "Members, without a key",
  user_id: "Programs, with a key",
  none: "All",
};

/** Returns a group's current name, or else its id; a key's with its project: `web · Search`. */
export function labelGroup(
  grouping: Grouping,
  { id, name, project_name: project }: Pick<UsageGroup, "id" | "name" | "project_name">,
): string {
  const own = name ?? id ?? withoutId[grouping];
  return project ? `${own} · ${project}` : own;
}
