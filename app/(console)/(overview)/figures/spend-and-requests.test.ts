import { expect, test } from "bun:test";
import { findBurst } from "./spend-and-requests";

const hours = (counts: Readonly<Record<number, number>>) =>
  Array.from({ length: 24 }, (_, hour) => counts[hour] ?? 0);

test("most refusals within a few hours are a burst, of the shortest run that has them", () => {
  expect(findBurst(hours({ 3: 6, 14: 214, 20: 6 }))).toEqual({ first: 14, last: 14, count: 214 });
  expect(findBurst(hours({ 3: 6, 22: 90, 23: 124 }))).toEqual({ first: 22, last: 23, count: 214 });
});

test("few refusals, or such that are spread over the day, are none", () => {
  expect(findBurst(hours({ 14: 9 }))).toBeNull();
  expect(findBurst(hours({ 2: 50, 14: 50 }))).toBeNull();
  expect(findBurst(hours(Object.fromEntries(hours({}).map((_, hour) => [hour, 5]))))).toBeNull();
  expect(findBurst([])).toBeNull();
});
