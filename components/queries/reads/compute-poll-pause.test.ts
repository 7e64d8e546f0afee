import { expect, test } from "bun:test";
import { computePollPause } from "./use-read";

test("a list with many loaded pages is polled more rarely, so that each interval has one read of a page", () => {
  expect([0, 1, 20].map((pages) => computePollPause(1_000, pages))).toEqual([1_000, 1_000, 20_000]);
});
