import { expect, test } from "bun:test";
import { retryAfter } from "./refusal";

test("clients are told to retry by themselves only after a pause that a caller would sit out", () => {
  expect(retryAfter(60)).toEqual({ "retry-after": "60" });
  expect(retryAfter(86_401)).toEqual({ "retry-after": "86401", "x-should-retry": "false" });
});
