import { expect, test } from "bun:test";
import { oneAtATime } from "./one-at-a-time";

test("each work waits for the one before, and a failed one holds up nobody", async () => {
  const inTurn = oneAtATime();
  const log: string[] = [];
  const work = (name: string, fails = false) =>
    inTurn(async () => {
      log.push(`${name} starts`);
      await Promise.resolve();
      log.push(`${name} ends`);
      if (fails) throw new Error(name);
      return name;
    });
  const results = await Promise.allSettled([work("first"), work("second", true), work("third")]);
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(log).toEqual(["first", "second", "third"].flatMap((name) => [`${name} starts`, `${name} ends`]));
});

test("what a turn has begun and left behind waits for a turn of its own", async () => {
  const inTurn = oneAtATime();
  const order: string[] = [];
  let left: Promise<unknown> = Promise.resolve();
  const leave = Promise.withResolvers<void>();
  await inTurn(async () => {
    left = leave.promise.then(() => inTurn(async () => void order.push("left behind")));
  });
  const next = inTurn(async () => {
    leave.resolve();
    await Bun.sleep(0);
    order.push("next");
  });
  await Promise.all([left, next]);
  expect(order).toEqual(["next", "left behind"]);
});
