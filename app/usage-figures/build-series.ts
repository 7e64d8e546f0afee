import { assignColors, type ChartSeries, type ChartValue } from "@/components/chart/chart-series";
import type {
  UsageBucket,
  UsageFigures,
  UsageGroup,
  UsageSummary,
} from "@/lib/contract/operations/usage-summary";
import type { Metric } from "./metrics";
import type { Grouping } from "./usage-query";

const nothing: UsageFigures = {
  requests: 0,
  errors: 0,
  refusals: 0,
  prompt_tokens: 0,
  completion_tokens: 0,
  cached_tokens: 0,
  input_audio_tokens: 0,
  output_audio_tokens: 0,
  amount: "0.00",
  duration_p50_ms: null,
  duration_p95_ms: null,
  first_byte_p50_ms: null,
  first_byte_p95_ms: null,
};

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
  const times = listBucketTimes(summary);
  if (summary.group_by === null) {
    return metric.parts
      .filter(({ isRare, readValue }) => !isRare || readValue(summary.totals).height !== 0)
      .map(({ id, label, color, readValue }) => ({
        id,
        label,
        color,
        values: valuesAt(times, summary.buckets, readValue),
      }));
  }
  const colors = assignColors(summary.groups.map(({ id }) => id ?? ""));
  const groups = summary.groups.map(
    (group): ChartSeries => ({
      id: `group ${group.id ?? ""}`,
      label: labelGroup(summary.group_by ?? "none", group),
      color: colors.get(group.id ?? "") ?? "rest",
      values: valuesAt(times, group.buckets, metric.whole),
    }),
  );
  const { rest } = summary;
  if (!rest) return groups;
  const label = `${rest.groups} others`;
  return [
    ...groups,
    { id: "rest", label, color: "rest", values: valuesAt(times, rest.buckets, metric.whole) },
  ];
}

/** Returns the previous period's values by bucket. */
export function listPreviousValues(summary: UsageSummary, metric: Metric): ChartValue[] {
  const shift = summary.start_time - summary.previous.start_time;
  const times = listBucketTimes(summary).map((time) => time - shift);
  return valuesAt(times, summary.previous.buckets, metric.whole);
}

export function formatTotals(summary: UsageSummary, metric: Metric): string[] {
  return valuesAt(listBucketTimes(summary), summary.buckets, metric.whole).map(({ text }) => text);
}

function valuesAt(
  times: readonly number[],
  buckets: readonly UsageBucket[],
  readValue: (figures: UsageFigures) => ChartValue,
): ChartValue[] {
  const known = new Map(buckets.map((bucket) => [bucket.start_time, bucket]));
  return times.map((time) => readValue(known.get(time) ?? nothing));
}

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
