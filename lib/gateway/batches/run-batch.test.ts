import { expect, test } from "bun:test";
import { simulatedRuntime } from "../simulation/simulated-runtime";
import { BatchPace } from "./batch-lease";
import { type BatchProgress, type BatchRecord, NO_PROGRESS } from "./batch-store.sql";
import { ResultMemory } from "./result-memory";
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
    publishResult: async () => {},
    claims: { end: async () => void written.push("end") },
    filesMs: null,
    isAlone: true,
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

test("a process whose disk lacks what another wrote reads all lines again, from their stored replies", async () => {
  const count = 200;
  const counted = 150;
  const line = (number: number) =>
    `${JSON.stringify({ custom_id: `c${number}`, method: "POST", url: "/v1/chat/completions", body: {} })}\n`;
  const input = Array.from({ length: count }, (_, index) => line(index + 1)).join("");
  const readBytes = Array.from({ length: counted }, (_, index) => line(index + 1)).join("").length;
  const runtime = simulatedRuntime();
  const batch = {
    ...NO_PROGRESS,
    id: "batch_1",
    endpoint: "/v1/chat/completions",
    outputFileId: "file-out",
    errorFileId: "file-err",
    total: count,
    expiresAtMs: runtime.clock.nowMs() + 1_000,
    cancelRequestedAtMs: 1,
    readBytes,
    readLines: counted,
    outputBytes: 10_000,
    completed: counted,
  };
  const written: string[] = [];
  const saved: BatchProgress[] = [];
  const published: [string, number][] = [];
  const ends: { progress: BatchProgress; status: string }[] = [];
  const context = {
    runtime,
    timers: {
      wait: (_ms: number, signal?: AbortSignal) =>
        new Promise((resolve) => signal?.addEventListener("abort", resolve)),
    },
    steadyClock: { mayBeFarOff: () => false },
    throttle: { isBesideLiveCalls: false, begin: async () => ({ noteAdmitted() {}, end() {} }) },
    memory: new ResultMemory(),
    batches: { find: async () => batch, listLineCosts: async () => [] },
    storedFiles: { open: async () => ({ bytes: input.length, read: () => new Blob([input]).stream() }) },
    resultFiles: {
      async append(id: string, at: number, lines: Uint8Array[][]) {
        const text = lines
          .flat()
          .map((piece) => Buffer.from(piece).toString())
          .join("");
        if (id === "file-out") {
          expect(at).toBe(written.join("").length);
          written.push(text);
        }
        return at + text.length;
      },
    },
    publishResult: async (id: string, bytes: number) => void published.push([id, bytes]),
    claims: {
      end: async (_id: string, progress: BatchProgress, { status }: { status: string }) =>
        void ends.push({ progress, status }),
    },
    idempotentCharges: {
      findUnderWay: async () => null,
      find: async ({ key }: { key: string }) =>
        Number(key.split("-").at(-1)) <= counted ? { requestId: `req_${key}`, reply: "{}" } : null,
    },
    filesMs: null,
    isAlone: false,
  };
  await runBatch(context as unknown as RunContext, batch as unknown as BatchRecord, {
    lease: {
      isLost: false,
      isHeld: async () => true,
      save: async (_id: string, progress: BatchProgress) => saved.push(progress) > 0,
    } as never,
    signal: new AbortController().signal,
    pace: new BatchPace(runtime.clock.monotonicMs),
    isCanceled: () => false,
  });
  expect(written.join("").match(/"custom_id":"c\d+"/g)).toHaveLength(counted);
  expect(published).toEqual([["file-out", written.join("").length]]);
  expect(saved.every(({ readLines }) => readLines >= counted)).toBe(true);
  expect(ends).toMatchObject([{ status: "cancelled", progress: { completed: counted } }]);
});
