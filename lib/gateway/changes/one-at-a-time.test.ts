import { expect, test } from "bun:test";
import { oneAtATime } from "./one-at-a-time";

test("each job waits for the one before, and a failed one does not block the next", async () => {
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
