"use client";

import { scaleLinear } from "@visx/scale";
import { area, line, stack } from "@visx/shape";
import { useId, useMemo } from "react";
import { classNames } from "@/components/ui/class-names";
import { type ChartData, type ChartSeries, type ChartValue, chartColors } from "./chart-series";
import { ChartTable } from "./chart-table";
import { findLabelZone, formatBucketStart, formatTimeLabel } from "./format-time-label";
import { TimeAxis } from "./time-axis";
import { type Choice, useBarChoice } from "./use-bar-choice";

type TimeChartProps = ChartData & {
  form: ChartForm;
  /** Formats a tick of the axis. */
  axis: (value: number) => string;
  /** The unit of the values, shown above the axis. */
  unit?: string | undefined;
  /** Called with the selected time range in Unix seconds. */
  zoom?: (from: number, to: number) => void;
};

/**
 * Values over time. The pointer and the arrow keys read a bucket. Dragging over several, or Shift with the arrow keys
 * and then Enter, zooms in to them. The table under the chart has the same values.
 */
export function TimeChart(props: TimeChartProps) {
  const { label, form, times, seconds, series, before, axis, unit, zoom } = props;
  const help = useId();
  const plot = useMemo(() => computePlot(series, form, before?.values ?? null), [series, form, before]);
  const zoomTo = (from: number, to: number) => {
    const [start, end] = [times[from], times[to]];
    if (zoom && start !== undefined && end !== undefined) zoom(start, end + seconds);
  };
  const { chartRef, at, chosen, ...listeners } = useBarChoice(times.length, zoomTo);
  return (
    <div>
      {unit && (
        <p aria-hidden className="mb-2 text-xs text-muted">
          {unit}
        </p>
      )}
      <div className="flex gap-3">
        <div className="grid min-w-0 flex-1 grid-cols-[auto_minmax(0,1fr)] gap-x-2">
          <Axis plot={plot} axis={axis} />
          <div
            ref={chartRef}
            role="slider"
            tabIndex={0}
            aria-label={label}
            aria-valuemin={0}
            aria-valuemax={Math.max(0, times.length - 1)}
            aria-valuenow={at}
            aria-valuetext={describeBucket(props, at)}
            aria-describedby={help}
            className="relative h-60 touch-pan-y rounded-sm select-none max-sm:h-44"
            {...listeners}
          >
            <Shapes plot={plot} form={form} buckets={times.length} chosen={chosen} />
            {chosen && <ChartReadout {...props} at={at} />}
          </div>
          <span />
          <TimeAxis times={times} seconds={seconds} />
        </div>
        <ChartLabels plot={plot} />
      </div>
      <p id={help} className="sr-only">
        Arrow keys read a value{zoom ? ", Shift with them chooses several, Enter shows that time alone" : ""}.
      </p>
      <ChartTable {...props} />
    </div>
  );
}

/** Returns text such as `14:00: 3 requests of gpt-5-mini, …`. */
function describeBucket({ times, seconds, series, totals, before }: ChartData, at: number): string {
  const time = times[at];
  if (time === undefined) return "Nothing";
  const shownSeries = series.filter(({ values }) => values[at]?.height);
  const parts = shownSeries.map(({ label, values }) => `${label} ${values[at]?.text}`);
  const totalText = totals && series.length > 1 ? [`in all ${totals[at]}`] : [];
  const comparisonText = before?.values[at] ? [`${before.label} ${before.values[at].text}`] : [];
  return `${formatTimeLabel(time, seconds)}: ${[...(parts.length > 0 ? parts : ["nothing"]), ...totalText, ...comparisonText].join(", ")}`;
}

type ShapesProps = { plot: Plot; form: ChartForm; buckets: number; chosen: Choice | null };

function Shapes({ plot, form, buckets, chosen }: ShapesProps) {
  return (
    <svg
      aria-hidden
      viewBox={`0 0 ${Math.max(1, buckets)} 100`}
      preserveAspectRatio="none"
      className="absolute inset-0 size-full overflow-visible"
    >
      {plot.ticks.map(({ value, top }) => (
        <line
          key={value}
          x1={0}
          x2={Math.max(1, buckets)}
          y1={top}
          y2={top}
          className="stroke-border"
          vectorEffect="non-scaling-stroke"
        />
      ))}
      {chosen && (
        <rect
          x={chosen.from}
          width={chosen.to - chosen.from + 1}
          height={100}
          className="fill-foreground opacity-8"
        />
      )}
      {plot.layers.map((layer) => (
        <LayerShape key={layer.series.id} layer={layer} form={form} isDense={buckets > DENSE_FROM} />
      ))}
      {plot.beforePath && (
        <path
          d={plot.beforePath}
          fill="none"
          className="stroke-foreground opacity-60"
          strokeDasharray="3 3"
          vectorEffect="non-scaling-stroke"
        />
      )}
    </svg>
  );
}

/** With more buckets than this, lines between areas would cover the thin ones. */
const DENSE_FROM = 72;

type LayerShapeProps = { layer: Layer; form: ChartForm; isDense: boolean };

function LayerShape({ layer: { series, spans, path }, form, isDense }: LayerShapeProps) {
  const { fill, stroke } = chartColors[series.color];
  if (form === "bars") {
    return spans.map(({ top, bottom }, index) =>
      bottom > top ? (
        // Keyed by position, which is a bucket's only identity.
        <rect key={index} x={index + 0.12} y={top} width={0.76} height={bottom - top} className={fill} />
      ) : null,
    );
  }
  if (form === "areas") {
    return (
      <path
        d={path}
        className={isDense ? fill : `${fill} stroke-surface`}
        strokeWidth={1}
        vectorEffect="non-scaling-stroke"
      />
    );
  }
  return <path d={path} fill="none" className={stroke} strokeWidth={2} vectorEffect="non-scaling-stroke" />;
}

function Axis({ plot, axis }: { plot: Plot; axis: (value: number) => string }) {
  const longest = plot.ticks
    .map(({ value }) => axis(value))
    .toSorted((one, other) => other.length - one.length)[0];
  return (
    <div aria-hidden className="relative text-right text-xs whitespace-nowrap text-muted">
      <span className="invisible">{longest}</span>
      {plot.ticks.map(({ value, top }) => (
        <span key={value} className="absolute right-0 -translate-y-1/2" style={{ top: `${top}%` }}>
          {axis(value)}
        </span>
      ))}
    </div>
  );
}

/** The chart is 240 px high; a label is 18 px high. */
const HEIGHT_PX = 240;

const GAP_PX = 18;

/** Series names to the right of where each series ends. Phones have no room for them and list them under the chart. */
function ChartLabels({ plot }: { plot: Plot }) {
  const labelPositions = plot.layers.map(({ spans }) => {
    const { top, bottom } = spans.at(-1) ?? { top: 0, bottom: 0 };
    return (((top + Math.min(bottom, 100)) / 2) * HEIGHT_PX) / 100 - GAP_PX / 2;
  });
  const labelTops = placeLabels(labelPositions, GAP_PX, HEIGHT_PX - GAP_PX);
  return (
    <ul aria-hidden className="relative w-36 shrink-0 text-xs max-md:hidden">
      {plot.layers.map(({ series: { id, label, color } }, index) => (
        <li
          key={id}
          className="absolute flex w-full items-center gap-1.5 leading-4.5"
          style={{ top: labelTops[index] }}
        >
          <span
            className={classNames(
              "size-2 shrink-0 rounded-[2px] forced-color-adjust-none",
              chartColors[color].dot,
            )}
          />
          <span className="truncate">{label}</span>
        </li>
      ))}
    </ul>
  );
}

/** Shows the values of the bucket being read, next to that bucket. */
function ChartReadout({ times, seconds, series, totals, before, at }: ChartData & { at: number }) {
  const time = times[at];
  if (time === undefined) return null;
  const share = (at + 0.5) / times.length;
  const side = share > 0.5 ? { right: `${(1 - share) * 100 + 2}%` } : { left: `${share * 100 + 2}%` };
  const shownSeries = series.filter(({ values }) => values[at]?.height).toReversed();
  return (
    <div
      aria-hidden
      className="pointer-events-none absolute top-1 z-10 min-w-44 rounded-md border bg-overlay px-3 py-2 text-sm shadow-[var(--overlay-shadow)]"
      style={side}
    >
      <p className="mb-1 font-medium">
        {formatBucketStart(time, seconds)}{" "}
        <span className="font-normal text-muted">{findLabelZone(time, seconds)}</span>
      </p>
      {shownSeries.map(({ id, label, color, values }) => (
        <p key={id} className="flex items-center gap-2">
          <span
            className={classNames(
              "size-2 shrink-0 rounded-[2px] forced-color-adjust-none",
              chartColors[color].dot,
            )}
          />
          <span className="max-w-44 truncate text-muted">{label}</span>
          <span className="ml-auto pl-3 whitespace-nowrap">{values[at]?.text}</span>
        </p>
      ))}
      {shownSeries.length === 0 && <p className="text-muted">Nothing</p>}
      {totals && shownSeries.length > 1 && (
        <p className="mt-1 flex justify-between gap-3 border-t pt-1 font-medium">
          <span>In all</span>
          <span className="whitespace-nowrap">{totals[at]}</span>
        </p>
      )}
      {before?.values[at] && (
        <p className="flex justify-between gap-3 text-muted">
          <span>{before.label}</span>
          <span className="whitespace-nowrap">{before.values[at].text}</span>
        </p>
      )}
    </div>
  );
}

type ChartForm = "bars" | "areas" | "lines";

/** One series with its span in each bucket, in percent of the height from the top. */
interface Layer {
  readonly series: ChartSeries;
  readonly spans: readonly { readonly top: number; readonly bottom: number }[];
  /** SVG path for areas and lines; each bucket is one unit wide. */
  readonly path: string;
}

interface Plot {
  readonly layers: readonly Layer[];
  /** Round axis values with their positions, from the bottom up. */
  readonly ticks: readonly { readonly value: number; readonly top: number }[];
  /** SVG path of the previous period. */
  readonly beforePath: string | null;
}

const TICKS = 4;

/** Computes the shapes of a chart. Layers are stacked, except for lines. The scale fits the largest value. */
function computePlot(
  series: readonly ChartSeries[],
  form: ChartForm,
  before: readonly ChartValue[] | null,
): Plot {
  const buckets = series[0]?.values.map((_, index) => index) ?? [];
  const heightAt = ({ values }: ChartSeries, index: number) => values[index]?.height ?? 0;
  const max = Math.max(
    0,
    ...buckets.map((index) => {
      const heights = series.map((one) => heightAt(one, index));
      return form === "lines" ? Math.max(0, ...heights) : heights.reduce((sum, height) => sum + height, 0);
    }),
    ...(before ?? []).map(({ height }) => height ?? 0),
  );
  const scale = scaleLinear<number>({ domain: [0, max || 1], range: [100, 0], nice: TICKS });
  const stackedSeries = stack<number, string>({
    keys: series.map(({ id }) => id),
    value: (index, id) => heightAt(series.find((one) => one.id === id) ?? (series[0] as ChartSeries), index),
  })(buckets);
  const center = (index: number) => index + 0.5;
  const layers = series.map((one, seriesIndex): Layer => {
    const spans = buckets.map((index) => {
      const [low, high] =
        form === "lines"
          ? [heightAt(one, index), heightAt(one, index)]
          : (stackedSeries[seriesIndex]?.[index] ?? [0, 0]);
      return { top: scale(high), bottom: scale(low) };
    });
    return { series: one, spans, path: drawPath(one, spans) };
  });
  function drawPath({ values }: ChartSeries, spans: Layer["spans"]): string {
    const spanAt = (index: number) => spans[index] ?? { top: 100, bottom: 100 };
    if (form === "areas") {
      return (
        area<number>({ x: center, y0: (index) => spanAt(index).bottom, y1: (index) => spanAt(index).top })(
          buckets,
        ) ?? ""
      );
    }
    const isKnown = (index: number) => values[index]?.height !== null;
    return line<number>({ x: center, y: (index) => spanAt(index).top, defined: isKnown })(buckets) ?? "";
  }
  return {
    layers,
    ticks: scale.ticks(TICKS).map((value) => ({ value, top: scale(value) })),
    beforePath:
      before &&
      line<number>({ x: center, y: (index) => scale(before[index]?.height ?? 0) })(
        before.map((_, index) => index),
      ),
  };
}

/** Moves overlapping labels apart as little as possible, keeping their order. All arguments use the same unit. */
export function placeLabels(positions: readonly number[], gap: number, max: number): number[] {
  const order = positions.map((at, index) => ({ at, index })).toSorted((one, other) => one.at - other.at);
  const placed: number[] = [];
  let last = Number.NEGATIVE_INFINITY;
  for (const { at, index } of order) {
    last = Math.max(at, last + gap);
    placed[index] = last;
  }
  let next = max;
  for (const { index } of order.toReversed()) {
    placed[index] = Math.max(0, Math.min(placed[index] ?? 0, next));
    next = (placed[index] ?? 0) - gap;
  }
  return placed;
}
