import type { ChartSeries, ChartValue } from "./chart-series";
import { listRoundTicks } from "./list-round-ticks";

export type ChartForm = "bars" | "areas" | "lines";

/** One series with its span in each bucket, in percent of the height from the top. */
export interface Layer {
  readonly series: ChartSeries;
  readonly spans: readonly { readonly top: number; readonly bottom: number }[];
  /** SVG path for areas and lines; each bucket is one unit wide. */
  readonly path: string;
}

export interface Plot {
  readonly layers: readonly Layer[];
  /** Round axis values with their positions, from the bottom up. */
  readonly ticks: readonly { readonly value: number; readonly top: number }[];
  /** SVG path of the previous period. */
  readonly beforePath: string | null;
}

const TICKS = 4;

/** Computes the shapes of a chart. Layers are stacked, except for lines. The scale fits the largest value. */
export function computePlot(
  series: readonly ChartSeries[],
  form: ChartForm,
  before: readonly ChartValue[] | null,
): Plot {
  const stacked = stackValues(series, form);
  const highest = [...stacked.flat().map(({ high }) => high), ...(before ?? []).map(heightOf)];
  const ticks = listRoundTicks(
    highest.reduce((max, height) => Math.max(max, height), 0),
    TICKS,
  );
  const top = ticks.at(-1) ?? 1;
  const scale = (height: number) => 100 - (height / top) * 100;
  const layers = series.map((one, index): Layer => {
    const spans = (stacked[index] ?? []).map(({ low, high }) => ({ top: scale(high), bottom: scale(low) }));
    const path = form === "areas" ? drawArea(spans) : drawLine(one.values.map(toTop));
    return { series: one, spans, path };
  });
  function toTop({ height }: ChartValue): number | null {
    return height === null ? null : scale(height);
  }
  return {
    layers,
    ticks: ticks.map((value) => ({ value, top: scale(value) })),
    beforePath: before && drawLine(before.map((value) => scale(heightOf(value)))),
  };
}

type Span = { readonly low: number; readonly high: number };

/** Returns the values of each series by bucket: on top of the series before it, or as lines from nothing up. */
function stackValues(series: readonly ChartSeries[], form: ChartForm): readonly (readonly Span[])[] {
  const tops: number[] = [];
  return series.map(({ values }) =>
    values.map((value, index) => {
      const height = heightOf(value);
      if (form === "lines") return { low: height, high: height };
      const low = tops[index] ?? 0;
      tops[index] = low + height;
      return { low, high: low + height };
    }),
  );
}

const heightOf = ({ height }: ChartValue) => height ?? 0;

/** A line through the middle of each bucket, interrupted where a value is unknown. */
function drawLine(tops: readonly (number | null)[]): string {
  return tops
    .map((top, index) => {
      if (top === null) return "";
      return `${(tops[index - 1] ?? null) === null ? "M" : "L"}${drawPoint(index, top)}`;
    })
    .join("");
}

function drawArea(spans: Layer["spans"]): string {
  if (spans.length === 0) return "";
  const above = spans.map(({ top }, index) => drawPoint(index, top));
  const below = spans.map(({ bottom }, index) => drawPoint(index, bottom)).toReversed();
  return `M${[...above, ...below].join("L")}Z`;
}

const drawPoint = (index: number, top: number) => `${index + 0.5},${Number(top.toFixed(3))}`;
