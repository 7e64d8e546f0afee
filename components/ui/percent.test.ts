import { expect, test } from "bun:test";
import { percentOf } from "./percent";

test("a share is told in whole percent, rounded down, and never as nothing or all of what isn't", () => {
  expect([0, 0.0001, 0.01, 0.29, 0.625, 0.999, 1].map((share) => percentOf(share))).toEqual([
    "0 %",
    "<1 %",
    "1 %",
    "29 %",
    "62 %",
    "99 %",
    "100 %",
  ]);
});

test("a small share can be told by tenths", () => {
  expect([0, 0.0004, 0.001, 0.057, 1 / 3, 0.9999, 1].map((share) => percentOf(share, 1))).toEqual([
    "0.0 %",
    "<0.1 %",
    "0.1 %",
    "5.7 %",
    "33.3 %",
    "99.9 %",
    "100.0 %",
  ]);
});
