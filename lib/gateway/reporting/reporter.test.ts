import { expect, test } from "bun:test";
import { SUMMING_BATCH_SIZE } from "../log/sums/sum-calls.sql";
import { simulatedRuntime } from "../simulation/simulated-runtime";
import { SummingPace } from "./reporter";

function openPace() {
  const { clock, pass } = simulatedRuntime();
  const ledger = { lastSeq: 1 };
  const rests: number[] = [];
  const wait = async (ms: number) => {
    rests.push(ms);
    pass(ms);
  };
  const readLastSeq = async () => ledger.lastSeq;
  const pace = new SummingPace({ nowMs: clock.monotonicMs, readLastSeq, wait }, ledger.lastSeq);
  return {
    pace,
    ledger,
    /** @returns how long it rests after a step that took so long. */
    async step(tookMs: number): Promise<number | undefined> {
      pass(tookMs);
      await pace.rest();
      return rests.at(-1);
    },
  };
}

test("the ledger's writer has the store for at least as long as the step before held it", async () => {
  const { ledger, step } = openPace();
  for (const tookMs of [3, 40, 2_000]) {
    ledger.lastSeq++;
    expect(await step(tookMs)).toBe(Math.max(tookMs, 25));
  }
  // A writer that waits writes nothing, so its store looks calm.
  expect(await step(300)).toBe(300);
  expect(await step(300)).toBe(300);
});

test("steps grow and rests shrink while nothing is written, until the first call", async () => {
  const { pace, ledger, step } = openPace();
  expect(pace.batchSize).toBe(SUMMING_BATCH_SIZE);
  expect(await step(1)).toBe(25);
  expect(pace.batchSize).toBe(1_000);
  ledger.lastSeq++;
  expect(await step(1)).toBe(10);
  expect(pace.batchSize).toBe(SUMMING_BATCH_SIZE);
  expect(await step(1)).toBe(25);
});
