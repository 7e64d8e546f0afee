import { expect, test } from "bun:test";
import {
  computeChange,
  describeChange,
  describeLength,
  formatRoundedDuration,
  formatShortMoney,
} from "./write-figures";

test("money is written to the cent, marks rounded amounts, and keeps amounts below a cent", () => {
  expect(["12.5", "1234.567", "0.0000432", "0.01", "-3.999", "0.00"].map(formatShortMoney)).toEqual([
    "12.50",
    "≈ 1,234.57",
    "0.0000432",
    "0.01",
    "≈ -4.00",
    "0.00",
  ]);
});

test("durations, changes and lengths are written as people say them", () => {
  expect([0, 38, 999, 2_400, 59_400, 80_000, null].map(formatRoundedDuration)).toEqual([
    "0 ms",
    "38 ms",
    "999 ms",
    "2.4 s",
    "59 s",
    "1 min 20 s",
    "–",
  ]);
  expect([computeChange(112n, 100n), computeChange(5n, 0n), computeChange(0n, 9n)]).toEqual([
    120,
    null,
    -1_000,
  ]);
  expect([120, -45, 3].map(describeChange)).toEqual(["up 12 %", "down 5 %", "unchanged"]);
  expect([900, 86_400, 604_801, 3_600, 60].map(describeLength)).toEqual([
    "15 minutes",
    "24 hours",
    "7 days",
    "60 minutes",
    "minute",
  ]);
});
