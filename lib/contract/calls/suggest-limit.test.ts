import { expect, test } from "bun:test";
import { suggestLimit } from "./suggest-limit";

test.each([
  [{ limit: 3, used: 3, needed: 1 }, 10],
  [{ limit: 0, used: 0, needed: 1 }, 1],
  [{ limit: 600, used: 600, needed: 1 }, 2_000],
  [{ limit: 1_000, used: 900, needed: 18_400 }, 20_000],
  [{ limit: 5, used: 5, needed: 1 }, 10],
  [{ limit: 10, used: 10, needed: 1 }, 20],
])("%p leads to a request for %i", (refused, more) => {
  expect(suggestLimit(refused)).toBe(more);
});
