import { expect, test } from "bun:test";
import { ResultRoom } from "./result-room";

const MIB = 1024 * 1024;

const { signal } = new AbortController();

/** Counts the lines that have entered. */
function enterSome(room: ResultRoom, lines: number) {
  let enteredCount = 0;
  for (let line = 0; line < lines; line++) void room.enter(signal).then(() => enteredCount++);
  return async () => {
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    return enteredCount;
  };
}

test("lines of small results never wait", async () => {
  const room = new ResultRoom();
  expect(await enterSome(room, 64)()).toBe(64);
});

test("once a result was large, no more lines start than fit, and the others after results are stored", async () => {
  const room = new ResultRoom();
  await room.enter(signal);
  room.leave(30 * MIB);
  const countEntered = enterSome(room, 5);
  expect(await countEntered()).toBe(1);
  room.finishStoring(30 * MIB);
  expect(await countEntered()).toBe(2);
  room.leave(1);
  expect(await countEntered()).toBe(3);
});

test("a result larger than all room lets one line after the other through", async () => {
  const room = new ResultRoom();
  await room.enter(signal);
  room.leave(100 * MIB);
  const countEntered = enterSome(room, 2);
  expect(await countEntered()).toBe(0);
  room.finishStoring(100 * MIB);
  expect(await countEntered()).toBe(1);
  room.leave(0);
  expect(await countEntered()).toBe(2);
});

test("a line that asks again doesn't get in before those that wait", async () => {
  const room = new ResultRoom();
  await room.enter(signal);
  await room.enter(signal);
  room.leave(60 * MIB);
  const entered: string[] = [];
  void room.enter(signal).then(() => entered.push("first"));
  void room.enter(signal).then(() => entered.push("second"));
  room.leave(1);
  room.finishStoring(60 * MIB + 1);
  // A worker that has just ended its line enters again.
  void room.enter(signal).then(() => entered.push("third"));
  for (const expected of [["first"], ["first", "second"], ["first", "second", "third"]]) {
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    expect(entered).toEqual(expected);
    room.leave(0);
  }
});

test("a wait ends with its signal", async () => {
  const room = new ResultRoom();
  await room.enter(signal);
  room.leave(100 * MIB);
  const closing = new AbortController();
  const waiting = room.enter(closing.signal);
  closing.abort();
  await waiting;
  await room.enter(closing.signal);
  room.leave(0);
  room.leave(0);
  // Workers that left without a result take no room.
  room.finishStoring(100 * MIB);
  await room.enter(signal);
});
