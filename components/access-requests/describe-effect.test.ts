import { expect, test } from "bun:test";
import { parseCheckedAmount } from "@/lib/money/amount";
import { computeDailyCost, describeMore } from "./describe-effect";

const past = { requests: 100, refusals: 5, tokens: 50_000, amount: parseCheckedAmount("2") };

test("says what a higher limit lets through", () => {
  expect(describeMore("max_requests_per_1_minute", 3, 10)).toBe("up to 7 more requests a minute");
  expect(describeMore("max_tokens_per_1_minute", 1_000, 20_000)).toBe("up to 19,000 more tokens a minute");
  expect(describeMore("max_requests_per_1_day", 100, null)).toBe("any number of requests a day");
});

test("prices the difference at what such calls have cost, if all of it is used", () => {
  expect(computeDailyCost("max_requests_per_1_minute", 3, 10, past)).toBe(parseCheckedAmount("201.6"));
  expect(computeDailyCost("max_tokens_per_1_minute", 0, 1_000, past)).toBe(parseCheckedAmount("57.6"));
  expect(computeDailyCost("max_requests_per_1_day", 100, 200, past)).toBe(parseCheckedAmount("2"));
  expect(computeDailyCost("max_images_per_1_minute", 1, 2, past)).toBeNull();
  expect(computeDailyCost("max_requests_per_1_minute", 3, 10, { ...past, requests: 0 })).toBeNull();
});
