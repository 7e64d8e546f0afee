import { expect, test } from "bun:test";
import { describeUnits } from "./describe-units";

test.each([
  ["1.00", "image", "1 image"],
  ["42.00", "character", "42 characters"],
  ["0.50", "minute", "0.5 minutes"],
  ["1200.00", "second", "1,200 seconds"],
  ["10", "second", "10 seconds"],
])("%s %s is %s", (quantity, unit, words) => {
  expect(describeUnits(quantity, unit)).toBe(words);
});
