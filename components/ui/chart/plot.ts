import { scaleLinear } from "@visx/scale";
import { area, line, stack } from "@visx/shape";
import type { ChartSeries, ChartValue } from "./chart-series";

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
