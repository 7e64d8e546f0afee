import { expect, test } from "bun:test";
import { describeEffect } from "./use-replay";

test("the effect of what is typed says how many of how many calls would have been decided otherwise", () => {
  const say = (calls: number, newly_refused: number, newly_let_through: number) =>
    describeEffect({ calls, newly_refused, newly_let_through });
  expect(say(4_100, 12, 0)).toBe("would have refused 12 more of 4,100 calls in the last 7 days");
  expect(say(4_100, 12, 1_500)).toBe(
    "would have refused 12 more of 4,100 calls in the last 7 days, and let 1,500 more through",
  );
  expect(say(1, 0, 1)).toBe("would have let 1 more of 1 call in the last 7 days through");
  expect(say(20, 0, 0)).toBe("would have changed none of 20 calls in the last 7 days");
  expect(say(0, 0, 0)).toBe("no calls in the last 7 days");
});
