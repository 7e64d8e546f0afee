"use client";

import { classNames } from "@/components/ui/class-names";
import { changeAddress } from "@/components/ui/filters/change-address";
import { describeComparison, describeLength } from "@/components/ui/values/write-figures";
import { compareMetric } from "@/components/usage/compare-metric";
import { DEFAULT_METRIC, type MetricName, metrics } from "@/components/usage/metrics";
import type { UsageSummary } from "@/lib/contract/operations/usage/usage-summary";

/** A tab per metric with its figure and its change. Selecting one shows its chart. */
export function MetricTabs({ summary, chosen }: { summary: UsageSummary; chosen: MetricName }) {
  const length = describeLength(summary.end_time - summary.start_time);
  return (
    <div
      role="group"
      aria-label="Metric"
      className="grid grid-cols-2 overflow-hidden rounded-md border bg-surface sm:grid-cols-3 lg:grid-cols-5"
    >
      {(Object.keys(metrics) as MetricName[]).map((name) => (
        <MetricTab key={name} name={name} summary={summary} isChosen={name === chosen} length={length} />
      ))}
    </div>
  );
}

type MetricTabProps = { name: MetricName; summary: UsageSummary; isChosen: boolean; length: string };

function MetricTab({ name, summary, isChosen, length }: MetricTabProps) {
  const { label, whole } = metrics[name];
  const change = compareMetric(name, summary);
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      onClick={() => changeAddress({ metric: name === DEFAULT_METRIC ? undefined : name })}
      className={classNames(
        "-mr-px -mb-px grid content-start border-r border-b px-4 py-3 text-left -outline-offset-2",
        isChosen
          ? "bg-accent/8 forced-colors:outline shadow-[inset_0_2px_0_var(--accent)]"
          : "hover:bg-default-soft",
      )}
    >
      <span className="text-sm text-muted">{label}</span>
      <span className="text-xl font-semibold whitespace-nowrap">
        {whole(summary.totals).text}
        {name === "spend" && <span className="ml-1 text-sm font-normal text-muted">{summary.currency}</span>}
      </span>
      <span className="text-sm text-muted">
        {change === null ? `none in the ${length} before` : describeComparison(change, length)}
      </span>
    </button>
  );
}
