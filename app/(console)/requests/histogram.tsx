"use client";

import { useId } from "react";
import { useIsPainted } from "@/components/ui/browser/use-is-painted";
import { formatTimeLabel, labelTableTimes } from "@/components/ui/chart/format-time-label";
import { TimeAxis } from "@/components/ui/chart/time-axis";
import { type Choice, useBarChoice } from "@/components/ui/chart/use-bar-choice";
import { classNames } from "@/components/ui/class-names";
import { capitalize } from "@/components/ui/text/capitalize";
import { formatCount } from "@/components/ui/values/group-digits";
import { RoundedMoney } from "@/components/ui/values/rounded-money";
import { DAY_S } from "@/lib/contract/durations";
import type { RequestHistogram, RequestOutcome } from "@/lib/contract/operations/calls/requests";
import { parseCheckedAmount } from "@/lib/money/amount";

type HistogramProps = {
  histogram: RequestHistogram;
  /** Called with the selected time range in Unix seconds. */
  zoom: (from: number, to: number) => void;
};

/**
 * Calls over time by outcome. Dragging, or Shift with the arrow keys and then Enter, zooms in. The pointer and the
 * arrow keys read values, which the table below also has.
 */
export function Histogram({ histogram, zoom }: HistogramProps) {
  const bars = buildBars(histogram);
  const help = useId();
  const zoomTo = (from: number, to: number) => {
    const [start, end] = [bars[from], bars[to]];
    if (start && end) zoom(start.from, end.to);
  };
  const { chartRef, at, chosen, ...listeners } = useBarChoice(bars.length, zoomTo);
  const shown = bars[at];
  const words = shown ? describeBar(shown, histogram.bucket_seconds) : "No call";
  return (
    <figure className="rounded-md border bg-surface px-3 pt-2 pb-1.5">
      <figcaption className="flex min-h-5 flex-wrap justify-between gap-x-4 text-sm">
        <Totals histogram={histogram} />
        {chosen && <span className="text-muted">{words}</span>}
      </figcaption>
      <div
        ref={chartRef}
        role="slider"
        tabIndex={0}
        aria-label="Calls over time"
        aria-valuemin={0}
        aria-valuemax={bars.length - 1}
        aria-valuenow={at}
        aria-valuetext={words}
        aria-describedby={help}
        className="relative mt-1 h-20 cursor-crosshair touch-pan-y rounded-sm select-none"
        {...listeners}
      >
        <Bars bars={bars} chosen={chosen} />
      </div>
      <TimeAxis times={bars.map(({ from }) => from)} seconds={histogram.bucket_seconds} />
      <p id={help} className="sr-only">
        Arrow keys read a bar, Shift with them chooses several, Enter shows that time alone.
      </p>
      <HistogramTable bars={bars} seconds={histogram.bucket_seconds} />
    </figure>
  );
}

function Bars({ bars, chosen }: { bars: readonly Bar[]; chosen: Choice | null }) {
  const most = Math.max(1, ...bars.map(({ total }) => total));
  return (
    <svg aria-hidden viewBox={`0 0 ${bars.length} 100`} preserveAspectRatio="none" className="size-full">
      {chosen && (
        <rect
          x={chosen.from}
          width={chosen.to - chosen.from + 1}
          height="100"
          className="fill-accent opacity-15"
        />
      )}
      {bars.map((bar, index) => (
        <BarShape key={bar.from} bar={bar} x={index} scale={100 / most} />
      ))}
    </svg>
  );
}

function BarShape({ bar, x, scale }: { bar: Bar; x: number; scale: number }) {
  let y = 100;
  return outcomeGroups.map(({ id, fill }) => {
    const height = Math.max(bar.counts[id] * scale, bar.counts[id] > 0 ? 1.5 : 0);
    y -= height;
    return height > 0 ? (
      <rect key={id} x={x + 0.08} y={Math.max(0, y)} width={0.84} height={height} className={fill} />
    ) : null;
  });
}

/** Totals per kind of outcome, with their colors. */
function Totals({ histogram: { totals, currency } }: { histogram: RequestHistogram }) {
  return (
    <span className="flex flex-wrap gap-x-4">
      {outcomeGroups.map(({ id, label, dot, outcomes }) => {
        const calls = outcomes.reduce((sum, outcome) => sum + totals[outcome], 0);
        return calls > 0 || id === "completed" ? (
          <span key={id} className="inline-flex items-center gap-1.5">
            <span aria-hidden className={classNames("size-2 rounded-[2px] forced-color-adjust-none", dot)} />
            {formatCount(calls)} {label}
          </span>
        ) : null;
      })}
      <span className="text-muted">
        <RoundedMoney amount={parseCheckedAmount(totals.amount)} currency={currency} />
      </span>
    </span>
  );
}

/** The values of the histogram as a table. Buckets without calls are left out. */
function HistogramTable({ bars, seconds }: { bars: readonly Bar[]; seconds: number }) {
  const isPainted = useIsPainted();
  const rows = isPainted ? bars.filter(({ total }) => total > 0) : [];
  const shownTimes = labelTableTimes(
    bars.map(({ from }) => from),
    seconds,
  );
  return (
    <details className="mt-1 text-sm">
      <summary className="w-fit rounded-sm text-muted hover:text-foreground">Show as a table</summary>
      <div
        className="mt-2 max-h-64 overflow-y-auto"
        tabIndex={0}
        role="region"
        aria-label="Calls over time, as a table"
      >
        <table className="w-full [&_td]:py-0.5 [&_td]:text-right [&_th]:py-0.5 [&_th]:text-left [&_th]:font-normal">
          <thead className="text-muted">
            <tr>
              <th scope="col">{shownTimes.head}</th>
              {outcomeGroups.map(({ id, label }) => (
                <th key={id} scope="col" className="text-right!">
                  {capitalize(label)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((bar) => (
              <tr key={bar.from}>
                <th scope="row">{shownTimes.label(bar.from)}</th>
                {outcomeGroups.map(({ id }) => (
                  <td key={id}>{formatCount(bar.counts[id])}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

/** The outcomes that are drawn in one color. */
const outcomeGroups = [
  { id: "completed", label: "completed", outcomes: ["completed"], fill: "fill-accent", dot: "bg-accent" },
  {
    id: "unfinished",
    label: "unfinished",
    outcomes: ["client_gone", "unsent", "in_progress"],
    fill: "fill-muted",
    dot: "bg-muted",
  },
  {
    id: "failed",
    label: "failed",
    outcomes: ["provider_failed", "interrupted"],
    fill: "fill-warning",
    dot: "bg-warning",
  },
  { id: "refused", label: "refused", outcomes: ["refused"], fill: "fill-danger", dot: "bg-danger" },
] as const satisfies readonly { outcomes: readonly RequestOutcome[]; [word: string]: unknown }[];

type OutcomeGroup = (typeof outcomeGroups)[number]["id"];

/** The calls of one bucket: from `from` until before `to`, in Unix seconds. */
interface Bar {
  readonly from: number;
  readonly to: number;
  readonly counts: Readonly<Record<OutcomeGroup, number>>;
  readonly total: number;
}

/** Returns a bar for every bucket of the range, including those without calls. */
function buildBars({ buckets, start_time, end_time, bucket_seconds: seconds }: RequestHistogram): Bar[] {
  const known = new Map(buckets.map((bucket) => [bucket.start_time, bucket]));
  const number = Math.max(1, Math.ceil((end_time - start_time) / seconds));
  return Array.from({ length: number }, (_, index) => {
    const from = start_time + index * seconds;
    const bucket = known.get(from);
    const counts = Object.fromEntries(
      outcomeGroups.map(({ id, outcomes }) => [
        id,
        outcomes.reduce((sum, outcome) => sum + (bucket?.[outcome] ?? 0), 0),
      ]),
    ) as Record<OutcomeGroup, number>;
    return {
      from,
      to: from + seconds,
      counts,
      total: Object.values(counts).reduce((sum, count) => sum + count, 0),
    };
  });
}

/** Returns text such as `14:15 to 14:30: 120 completed, 5 refused`, in the viewer's zone. */
function describeBar({ from, to, counts, total }: Bar, seconds: number): string {
  const parts = outcomeGroups
    .filter(({ id }) => counts[id] > 0)
    .map(({ id, label }) => `${formatCount(counts[id])} ${label}`);
  const end = seconds >= DAY_S ? "" : ` to ${formatTimeLabel(to, 60)}`;
  return `${formatTimeLabel(from, seconds)}${end}: ${total === 0 ? "no calls" : parts.join(", ")}`;
}
