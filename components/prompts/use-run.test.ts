import { expect, test } from "bun:test";
import type { PromptResult } from "@/lib/contract/operations/playground/prompt-runs";
import { createResultSaver, type UnsavedResults } from "./use-run";

const resultOf = (at: number, answer = "Yes") => ({ case: at, answer }) as PromptResult;
const down = { code: "unreachable", message: "No gateway answers" };

/** A saver whose gateway and timers the test holds. */
function openSaver() {
  const scheduled: { work: () => void; afterMs: number }[] = [];
  const reports: (UnsavedResults | null)[] = [];
  const saved: { runId: string; cases: number[] }[] = [];
  const gateway = { isDown: false };
  const saver = createResultSaver({
    save: async (runId, results) => {
      if (gateway.isDown) return down;
      saved.push({ runId, cases: results.map((one) => one.case) });
      return null;
    },
    report: (unsaved) => reports.push(unsaved),
    schedule: (work, afterMs) => scheduled.push({ work, afterMs }),
  });
  return { saver, scheduled, reports, saved, gateway };
}

test("results that come together are saved together, at most twenty at once and no more than a request holds", async () => {
  const { saver, scheduled, reports, saved } = openSaver();
  for (let at = 0; at < 25; at++) saver.add("run_1", resultOf(at));
  expect(scheduled).toHaveLength(1);
  expect(await saver.saveAll()).toBe(true);
  expect(saved.map(({ cases }) => cases.length)).toEqual([20, 5]);
  for (let at = 0; at < 15; at++) saver.add("run_2", resultOf(at, "x".repeat(50_000)));
  expect(await saver.saveAll()).toBe(true);
  expect(saved.slice(2).map(({ cases }) => cases.length)).toEqual([10, 5]);
  expect(reports).toEqual([]);
});

test("results that could not be saved at the end of a run are kept, and tried again after a pause", async () => {
  const { saver, scheduled, reports, saved, gateway } = openSaver();
  gateway.isDown = true;
  saver.add("run_1", resultOf(1));
  expect(await saver.saveAll()).toBe(false);
  expect(reports).toEqual([{ problem: down, results: [{ runId: "run_1", result: resultOf(1) }] }]);
  gateway.isDown = false;
  for (const { work } of scheduled.splice(0)) work();
  expect(await saver.saveAll()).toBe(true);
  expect(saved).toEqual([{ runId: "run_1", cases: [1] }]);
  expect(reports.at(-1)).toBeNull();
});

test("a pause between two attempts grows, and after the last one only a person tries again", async () => {
  const { saver, scheduled, gateway } = openSaver();
  gateway.isDown = true;
  saver.add("run_1", resultOf(1));
  const pauses: number[] = [];
  for (let next = scheduled.shift(); next; next = scheduled.shift()) {
    pauses.push(next.afterMs);
    next.work();
    // An attempt has ended once it has scheduled the next one. The saver makes five; a person makes the sixth.
    while (scheduled.length === 0 && pauses.length < 5) await Promise.resolve();
  }
  expect(pauses).toEqual([250, 2_000, 5_000, 15_000, 30_000]);
  gateway.isDown = false;
  expect(await saver.saveAll()).toBe(true);
});

test("the results of a run that can't be saved don't hold up those of another one", async () => {
  const reports: (UnsavedResults | null)[] = [];
  const saved: number[] = [];
  const gone = { code: "not_found", message: "There is no such run" };
  const saver = createResultSaver({
    save: async (runId, results) => {
      if (runId === "run_gone") return gone;
      saved.push(...results.map((one) => one.case));
      return null;
    },
    report: (unsaved) => reports.push(unsaved),
    schedule: () => {},
  });
  saver.add("run_gone", resultOf(1));
  saver.add("run_2", resultOf(2));
  expect(await saver.saveAll()).toBe(false);
  expect(saved).toEqual([2]);
  expect(reports).toEqual([{ problem: gone, results: [{ runId: "run_gone", result: resultOf(1) }] }]);
});
