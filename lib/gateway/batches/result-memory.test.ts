import { expect, test } from "bun:test";
import { ResultMemory } from "./result-memory";

const MIB = 1024 * 1024;

const { signal } = new AbortController();

/** Counts the lines that have entered. */
function acquireSome(memory: ResultMemory, lines: number) {
  let enteredCount = 0;
  for (let line = 0; line < lines; line++) void memory.acquire(signal).then(() => enteredCount++);
  return async () => {
    for (let tick = 0; tick < 20; tick++) await Promise.resolve();
    return enteredCount;
  };
}

test("lines of small results never wait", async () => {
  const memory = new ResultMemory();
  expect(await acquireSome(memory, 64)()).toBe(64);
});

test("once a result was large, no more lines start than fit, and the others after results are stored", async () => {
  const memory = new ResultMemory();
  await memory.acquire(signal);
  memory.fill(30 * MIB);
  const countEntered = acquireSome(memory, 5);
  expect(await countEntered()).toBe(1);
  memory.free(30 * MIB);
  expect(await countEntered()).toBe(2);
  memory.fill(1);
  expect(await countEntered()).toBe(3);
});

test("a result larger than all room lets one line after the other through", async () => {
  const memory = new ResultMemory();
  await memory.acquire(signal);
  memory.fill(100 * MIB);
  const countEntered = acquireSome(memory, 2);
  expect(await countEntered()).toBe(0);
  memory.free(100 * MIB);
  expect(await countEntered()).toBe(1);
  memory.fill(0);
  expect(await countEntered()).toBe(2);
});

test("a line that asks again doesn't get in before those that wait", async () => {
  const memory = new ResultMemory();
  await memory.acquire(signal);
  await memory.acquire(signal);
  memory.fill(60 * MIB);
  const entered: string[] = [];
  void memory.acquire(signal).then(() => entered.push("first"));
  void memory.acquire(signal).then(() => entered.push("second"));
  memory.fill(1);
  memory.free(60 * MIB + 1);
  // A worker that has just ended its line enters again.
  void memory.acquire(signal).then(() => entered.push("third"));
  for (const expected of [["first"], ["first", "second"], ["first", "second", "third"]]) {
    for (let tick = 0; tick < 20; tick++) await Promise.resolve();
    expect(entered).toEqual(expected);
    memory.fill(0);
  }
});

test("a wait ends with its signal", async () => {
  const memory = new ResultMemory();
  await memory.acquire(signal);
  memory.fill(100 * MIB);
  const closing = new AbortController();
  const waiting = memory.acquire(closing.signal);
  closing.abort();
  await waiting;
  await memory.acquire(closing.signal);
  memory.fill(0);
  memory.fill(0);
  // Workers that left without a result take no room.
  memory.free(100 * MIB);
  await memory.acquire(signal);
});
