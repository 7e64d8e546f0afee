/** The value of one bucket: the height to draw and the text to show. */
export interface ChartValue {
  /** Null if there is no value: the line has a gap there. */
  readonly height: number | null;
  readonly text: string;
}

/** One series: its color and one value per bucket. */
export interface ChartSeries {
  readonly id: string;
  readonly label: string;
  readonly color: ChartColor;
  readonly values: readonly ChartValue[];
}

/** Data for a chart and for the table under it. */
export interface ChartData {
  /** The accessible name, such as "Spend over time". */
  readonly label: string;
  /** The start of each bucket in Unix seconds. `seconds` is the length of a bucket. */
  readonly times: readonly number[];
  readonly seconds: number;
  /** The series in stacking order, from the bottom up. */
  readonly series: readonly ChartSeries[];
  /** The total of all series for each bucket, if a total makes sense. */
  readonly totals?: readonly string[] | undefined;
  /** The previous period, bucket by bucket. */
  readonly before?: { readonly label: string; readonly values: readonly ChartValue[] } | undefined;
}

/** Class names for each color as a surface, a line and a dot. */
export const chartColors = {
  "1": { fill: "fill-chart-1", stroke: "stroke-chart-1", dot: "bg-chart-1" },
  "2": { fill: "fill-chart-2", stroke: "stroke-chart-2", dot: "bg-chart-2" },
  "3": { fill: "fill-chart-3", stroke: "stroke-chart-3", dot: "bg-chart-3" },
  "4": { fill: "fill-chart-4", stroke: "stroke-chart-4", dot: "bg-chart-4" },
  "5": { fill: "fill-chart-5", stroke: "stroke-chart-5", dot: "bg-chart-5" },
  "6": { fill: "fill-chart-6", stroke: "stroke-chart-6", dot: "bg-chart-6" },
  "7": { fill: "fill-chart-7", stroke: "stroke-chart-7", dot: "bg-chart-7" },
  "8": { fill: "fill-chart-8", stroke: "stroke-chart-8", dot: "bg-chart-8" },
  rest: { fill: "fill-chart-rest", stroke: "stroke-chart-rest", dot: "bg-chart-rest" },
  warning: { fill: "fill-warning", stroke: "stroke-warning", dot: "bg-warning" },
  danger: { fill: "fill-danger", stroke: "stroke-danger", dot: "bg-danger" },
} as const;
export type ChartColor = keyof typeof chartColors;

const PALETTE = ["1", "2", "3", "4", "5", "6", "7", "8"] as const;

/**
 * Assigns a color to each name. The same name gets the same color everywhere, unless an earlier name has taken it. Up
 * to eight names all get different colors.
 */
export function assignColors(names: readonly string[]): Map<string, ChartColor> {
  const colors = new Map<string, ChartColor>();
  const usedColors = new Set<ChartColor>();
  for (const name of names) {
    const own = hashText(name) % PALETTE.length;
    const order = PALETTE.map((_, step) => PALETTE[(own + step) % PALETTE.length] ?? "rest");
    const color = order.find((one) => !usedColors.has(one)) ?? "rest";
    usedColors.add(color);
    colors.set(name, color);
  }
  return colors;
}

/** FNV-1a hash. */
function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (const char of text) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193);
  return (hash ^ (hash >>> 13)) >>> 0;
}
