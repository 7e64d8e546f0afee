import { expect, test } from "bun:test";
import { ReplyPace } from "./reply-memory";

const MIB = 1024 * 1024;

function openPace() {
  const state = { nowMs: 0, waits: [] as number[] };
  const wait = (delayMs: number) => {
    state.waits.push(delayMs);
    return Promise.resolve();
  };
  return { state, pace: new ReplyPace({ monotonicMs: () => state.nowMs, wait }) };
}

test("a long reply on its own is not slowed down", () => {
  const { pace, state } = openPace();
  for (let piece = 0; piece < 10; piece++) {
    expect(pace.count(MIB)).toBeNull();
    state.nowMs += 8;
  }
});

test("all replies together are read at a gigabit a second, however fast they come", () => {
  const { pace, state } = openPace();
  for (let piece = 0; piece < 125; piece++) pace.count(MIB);
  expect(pace.count(MIB)).not.toBeNull();
  expect(state.waits.at(-1)).toBeCloseTo(1_000, 6);
  state.nowMs = 2_000;
  expect(pace.count(MIB)).toBeNull();
});

test("time without long replies is not saved up", () => {
  const { pace, state } = openPace();
  state.nowMs = 60_000;
  for (let piece = 0; piece < 4; piece++) pace.count(MIB);
  expect(state.waits.at(-1)).toBeCloseTo(24, 6);
});
