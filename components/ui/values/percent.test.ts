import { expect, test } from "bun:test";
import { formatNearestPercent, formatPercent } from "./percent";

test("a share is given in whole percent, rounded down, and as 0 or 100 only if it is exactly that", () => {
  expect([0, 0.0001, 0.01, 0.29, 0.625, 0.999, 1].map((share) => formatPercent(share))).toEqual([
    "0 %",
    "<1 %",
    "1 %",
    "29 %",
    "62 %",
    "99 %",
    "100 %",
  ]);
});

test("a small share can be given in tenths", () => {
  expect([0, 0.0004, 0.001, 0.057, 1 / 3, 0.9999, 1].map((share) => formatPercent(share, 1))).toEqual([
    "0.0 %",
    "<0.1 %",
    "0.1 %",
    "5.7 %",
    "33.3 %",
    "99.9 %",
    "100.0 %",
  ]);
});

test("a part of a sum is given to the nearest percent, and as 0 or 100 only if it is exactly that", () => {
  expect([0, 0.001, 0.036, 0.035, 2 / 3, 0.996, 1].map(formatNearestPercent)).toEqual([
    "0 %",
    "<1 %",
    "4 %",
    "4 %",
    "67 %",
    ">99 %",
    "100 %",
  ]);
});
