import { expect, test } from "bun:test";
import { mapLimits } from "@/lib/contract/calls/rate-limit-table";
import { HOUR_MS } from "@/lib/contract/durations";
import { type LimitPeak, LimitSampler } from "./limit-usage";
import type { ProjectModelPair } from "./project-model-windows";

function openSampler(pairs: readonly ProjectModelPair[]) {
  const keptPeaks: LimitPeak[] = [];
  const state = { used: 0 };
  const windows = {
    touched: () => pairs,
    readUsage: (some: readonly ProjectModelPair[]) =>
      some.map((pair) => ({
        ...pair,
        used: mapLimits(({ field }) => (field === "max_requests_per_1_minute" ? state.used : 0)),
      })),
  };
  const sampler = new LimitSampler(windows, { savePeaks: (_atMs, peaks) => keptPeaks.push(...peaks) });
  return { sampler, keptPeaks, state };
}
const onlyPair = { projectId: "proj_1", model: "m" };

test("only a new maximum of the hour is stored, and each hour starts again", async () => {
  const { sampler, keptPeaks, state } = openSampler([onlyPair]);
  for (const used of [3, 2, 5, 5]) {
    state.used = used;
    await sampler.sample(HOUR_MS);
  }
  expect(keptPeaks.map(({ peak }) => peak)).toEqual([3, 5]);
  state.used = 1;
  await sampler.sample(2 * HOUR_MS);
  expect(keptPeaks.at(-1)).toEqual({ ...onlyPair, field: "max_requests_per_1_minute", peak: 1 });
});

test("samples each of ten thousand pairs, and lets other work run in between", async () => {
  const pairs = Array.from({ length: 10_000 }, (_, index) => ({ projectId: "proj_1", model: `m${index}` }));
  const { sampler, keptPeaks, state } = openSampler(pairs);
  state.used = 1;
  let ticks = 0;
  let isOver = false;
  const count = () => {
    ticks++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  await Promise.all([sampler.sample(HOUR_MS), sampler.sample(HOUR_MS)]);
  isOver = true;
  expect(keptPeaks).toHaveLength(10_000);
  expect(ticks).toBeGreaterThan(40);
});
