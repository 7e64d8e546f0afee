import { expect, test } from "bun:test";
import { storeUnavailable } from "../../refusal";
import { simulatedRuntime } from "../../simulation/simulated-runtime";
import { BatchPace } from "../batch-lease";
import type { BatchRecord } from "../batch-store.sql";
import { ResultMemory } from "../result-memory";
import { answerInOrder } from "./answer-lines";

test("a line whose claim can't be checked is not counted as under way any more", async () => {
  const runtime = simulatedRuntime();
  let underWay = 0;
  const throttle = {
    isBesideLiveCalls: false,
    async begin() {
      underWay++;
      return { noteAdmitted: () => {}, end: () => void underWay-- };
    },
  };
  const context = {
    runtime,
    timers: { wait: () => new Promise<never>(() => {}) },
    throttle,
    memory: new ResultMemory(),
  };
  const endpoint = "/v1/chat/completions";
  const batch = { id: "batch_1", endpoint, expiresAtMs: Number.POSITIVE_INFINITY } as BatchRecord;
  const run = {
    batch,
    lease: { isLost: false, isHeld: () => Promise.reject(storeUnavailable()) },
    signal: new AbortController().signal,
    pace: new BatchPace(runtime.clock.nowMs),
    isCanceled: () => false,
  };
  const line = { custom_id: "a", method: "POST", url: endpoint, body: {} };
  const lines = [{ number: 1, bytes: Buffer.from(JSON.stringify(line)), endsAt: 1 }];
  const answering = answerInOrder(context as never, run as never, lines, { mayBeAnswered: false }).next();
  await expect(answering).rejects.toMatchObject({ code: "store_unavailable" });
  expect(underWay).toBe(0);
});

test("once a line can't be answered, no other line begins", async () => {
  const runtime = simulatedRuntime();
  let begun = 0;
  let checks = 0;
  const others = Promise.withResolvers<void>();
  const throttle = {
    isBesideLiveCalls: false,
    async begin() {
      begun++;
      return { noteAdmitted: () => {}, end: () => {} };
    },
  };
  const timers = { wait: () => new Promise<never>(() => {}) };
  const context = { runtime, timers, throttle, memory: new ResultMemory() };
  const endpoint = "/v1/chat/completions";
  const batch = { id: "batch_1", endpoint, expiresAtMs: Number.POSITIVE_INFINITY } as BatchRecord;
  const run = {
    batch,
    lease: {
      isLost: false,
      isHeld: () => (checks++ === 0 ? Promise.reject(storeUnavailable()) : others.promise),
    },
    signal: new AbortController().signal,
    pace: new BatchPace(runtime.clock.nowMs),
    isCanceled: () => true,
  };
  const line = JSON.stringify({ custom_id: "a", method: "POST", url: endpoint, body: {} });
  const lines = Array.from({ length: 64 }, (_, number) => ({
    number,
    bytes: Buffer.from(line),
    endsAt: number,
  }));
  const answering = answerInOrder(context as never, run as never, lines, { mayBeAnswered: false }).next();
  await expect(answering).rejects.toMatchObject({ code: "store_unavailable" });
  const atOnce = begun;
  others.resolve();
  await new Promise(setImmediate);
  expect([atOnce > 0, begun]).toEqual([true, atOnce]);
});
