import { describe, expect, test } from "bun:test";
import type { ChartSeries } from "./chart-series";
import { computePlot } from "./plot";

function series(id: string, heights: readonly (number | null)[]): ChartSeries {
  const values = heights.map((height) => ({ height, text: String(height) }));
  return { id, label: id, color: "1", values };
}

describe("A chart", () => {
  test("stacks its series, each on top of those before it", () => {
    const { layers, ticks } = computePlot([series("one", [3, 10]), series("other", [2, 0])], "bars", null);
    expect(ticks.at(-1)).toEqual({ value: 10, top: 0 });
    expect(layers[0]?.spans[0]).toEqual({ top: 70, bottom: 100 });
    expect(layers[1]?.spans[0]).toEqual({ top: 50, bottom: 70 });
    expect(layers[1]?.spans[1]).toEqual({ top: 0, bottom: 0 });
  });

  test("has room for the period before, whose line may be higher than its own values", () => {
    const before = [4, 8].map((height) => ({ height, text: String(height) }));
    const { ticks, beforePath } = computePlot([series("one", [1, 2])], "bars", before);
    expect(ticks.at(-1)?.value).toBe(8);
    expect(beforePath).toBe("M0.5,50L1.5,0");
  });

  test("interrupts a line where a value is unknown", () => {
    const { layers } = computePlot([series("latency", [10, null, 5, 10])], "lines", null);
    expect(layers[0]?.path).toBe("M0.5,0M2.5,50L3.5,0");
  });

  test("doesn't stack lines", () => {
    const { layers } = computePlot([series("one", [5]), series("other", [10])], "lines", null);
    expect(layers.map(({ spans }) => spans[0]?.top)).toEqual([50, 0]);
  });

  test("closes an area along the series below it", () => {
    const { layers } = computePlot([series("one", [5, 5]), series("other", [5, 5])], "areas", null);
    expect(layers[1]?.path).toBe("M0.5,0L1.5,0L1.5,50L0.5,50Z");
  });

  test("has an axis without any call", () => {
    const { ticks, layers } = computePlot([series("one", [0, 0])], "bars", null);
    expect(ticks).toHaveLength(6);
    expect(layers[0]?.spans).toEqual([
      { top: 100, bottom: 100 },
      { top: 100, bottom: 100 },
    ]);
  });
});
