import { expect, test } from "bun:test";
import { simulatedRuntime } from "../simulation/simulated-runtime";
import { BatchPace } from "./batch-pace";
import { type BatchRecord, NO_PROGRESS } from "./batch-store.sql";
import { type RunContext, runBatch } from "./run-batch";

/** Ends a batch whose lines are all stored. @returns what was written. */
async function endBatch(isHeld: () => boolean) {
  const written: string[] = [];
  const batch = { ...NO_PROGRESS, id: "batch_1", outputFileId: "file-out", errorFileId: "file-err" };
  const { clock } = simulatedRuntime();
  const context = {
    runtime: { clock },
    batches: { find: async () => batch },
    storedFiles: { open: async () => ({ bytes: 0, read: () => new Blob([]).stream() }) },
    resultFiles: { append: async (id: string) => void written.push(id) },
    claims: { end: async () => void written.push("end") },
    filesMs: null,
  };
  await runBatch(context as unknown as RunContext, batch as unknown as BatchRecord, {
    lease: { isLost: false, isHeld: async () => isHeld() } as never,
    signal: new AbortController().signal,
    pace: new BatchPace(clock.monotonicMs),
    isCanceled: () => false,
  });
  return written;
}

test("a process that has lost its batch just before its end doesn't cut off what its successor wrote", async () => {
  expect(await endBatch(() => true)).toEqual(["file-out", "file-err", "end"]);
  expect(await endBatch(() => false)).toEqual([]);
  let checks = 0;
  expect(await endBatch(() => ++checks === 1)).toEqual(["file-out"]);
});
