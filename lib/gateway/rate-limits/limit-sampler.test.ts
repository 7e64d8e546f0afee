import { expect, test } from "bun:test";
import { HOUR_MS } from "@/lib/contract/durations";
import { builtInRateLimits, mapLimits } from "@/lib/contract/rate-limit-table";
import { LimitSampler } from "./limit-sampler";
import type { LimitPeak, ProjectModelPair } from "./limit-usage";

function open(pairs: readonly ProjectModelPair[]) {
  const kept: LimitPeak[] = [];
  const state = { used: 0 };
  const windows = {
    touched: () => pairs,
    usageOf: async (some: readonly ProjectModelPair[]) =>
      some.map((pair) => ({
        ...pair,
        used: mapLimits(({ field }) => (field === "max_requests_per_1_minute" ? state.used : 0)),
      })),
  };
  const sampler = new LimitSampler(windows, { savePeaks: (_atMs, peaks) => kept.push(...peaks) });
  return { sampler, kept, state };
}
const one = { projectId: "proj_1", model: "m" };

test("only a new maximum of the hour is stored, and each hour starts again", async () => {
  const { sampler, kept, state } = open([one]);
  for (const used of [3, 2, 5, 5]) {
    state.used = used;
    await sampler.sample(HOUR_MS);
  }
  expect(kept.map(({ peak }) => peak)).toEqual([3, 5]);
  state.used = 1;
  await sampler.sample(2 * HOUR_MS);
  expect(kept.at(-1)).toEqual({ ...one, field: "max_requests_per_1_minute", peak: 1 });
  expect(Object.keys(builtInRateLimits)).toContain("max_requests_per_1_minute");
});

test("samples each of ten thousand pairs, and lets other work run in between", async () => {
  const pairs = Array.from({ length: 10_000 }, (_, index) => ({ projectId: "proj_1", model: `m${index}` }));
  const { sampler, kept, state } = open(pairs);
  state.used = 1;
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  await Promise.all([sampler.sample(HOUR_MS), sampler.sample(HOUR_MS)]);
  isOver = true;
  expect(kept).toHaveLength(10_000);
  expect(turns).toBeGreaterThan(40);
});
