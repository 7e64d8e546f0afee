import { expect, test } from "bun:test";
import { ResultRoom } from "./result-room";

const MIB = 1024 * 1024;

/** Counts the lines that have entered. */
function enterSome(room: ResultRoom, lines: number) {
  let enteredCount = 0;
  for (let line = 0; line < lines; line++) void room.enter().then(() => enteredCount++);
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
  await room.enter();
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
  await room.enter();
  room.leave(100 * MIB);
  const countEntered = enterSome(room, 2);
  expect(await countEntered()).toBe(0);
  room.finishStoring(100 * MIB);
  expect(await countEntered()).toBe(1);
  room.leave(0);
  expect(await countEntered()).toBe(2);
});
