"use client";

import { useMemo } from "react";
import type { ChartData } from "@/components/ui/chart/chart-series";
import { TimeChart } from "@/components/ui/chart/time-chart";
import { changeAddress } from "@/components/ui/filters/use-address-filter";
import { capitalize } from "@/components/ui/text/capitalize";
import { describeLength } from "@/components/ui/values/write-figures";
import type { UsageSummary } from "@/lib/contract/operations/usage/usage-summary";
import { buildSeries, formatTotals, listBucketTimes, listPreviousValues, listValues } from "./build-series";
import { formatMonthName } from "./compare-months";
import { GroupingChoice } from "./grouping-choice";
import { type Metric, type MetricName, metrics } from "./metrics";
import type { UsageView } from "./usage-query";
import { writeHeadline } from "./write-headline";

/** With more bars than this they become indistinguishable, so areas are drawn instead. */
const MAX_BARS = 60;

type SummaryChartProps = {
  summary: UsageSummary;
  name: MetricName;
  /** Called with the selected time range in Unix seconds. */
  zoom?: (from: number, to: number) => void;
};

/** A metric over time by group, with the previous period as a thin line. */
function PeriodChart({ summary, name, zoom: show }: SummaryChartProps) {
  const before = useMemo(
    () => ({
      label: `${capitalize(describeLength(summary.end_time - summary.start_time))} before`,
      values: listPreviousValues(summary, metrics[name]),
    }),
    [summary, name],
  );
  return <SummaryChart summary={summary} name={name} before={before} {...(show && { zoom: show })} />;
}

type MonthChartProps = {
  month: UsageSummary;
  /** The month before by day, once it is read. */
  before: UsageSummary | undefined;
};

/** This month's spend by day and group, with the same days of the month before as a thin line. */
export function MonthChart({ month, before }: MonthChartProps) {
  const line = useMemo(() => {
    if (!before || before.totals.requests === 0) return undefined;
    const days = listBucketTimes(month).length;
    return { label: formatMonthName(before), values: listValues(before, metrics.spend).slice(0, days) };
  }, [month, before]);
  return <SummaryChart summary={month} name="spend" before={line} />;
}

function SummaryChart({
  summary,
  name,
  before,
  zoom: show,
}: SummaryChartProps & { before: ChartData["before"] }) {
  const metric: Metric = metrics[name];
  const times = useMemo(() => listBucketTimes(summary), [summary]);
  const series = useMemo(() => buildSeries(summary, metric), [summary, metric]);
  return (
    <TimeChart
      label={`${metric.label} over time`}
      unit={name === "spend" ? summary.currency : undefined}
      form={!metric.isSum ? "lines" : times.length > MAX_BARS ? "areas" : "bars"}
      times={times}
      seconds={summary.bucket_seconds}
      series={series}
      totals={metric.isSum ? formatTotals(summary, metric) : undefined}
      before={before}
      axis={metric.axis}
      {...(show && { zoom: show })}
    />
  );
}

/** Sets the selected time range in the address. */
function zoom(from: number, to: number): void {
  changeAddress({ from: String(from), to: String(to), range: undefined }, { isStep: true });
}

/** The selected metric, with a choice of grouping. */
export function UsageChart({ summary, view }: { summary: UsageSummary; view: UsageView }) {
  return (
    <section className="rounded-md border bg-surface p-4">
      <div className="mb-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 className="text-lg font-semibold">{writeHeadline(summary, view.metric)}</h2>
        <GroupingChoice
          value={view.grouping}
          choices={view.groupings}
          choose={(grouping) => changeAddress({ group_by: grouping })}
        />
      </div>
      <PeriodChart summary={summary} name={view.metric} zoom={zoom} />
    </section>
  );
}
