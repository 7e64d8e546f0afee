import { expect, test } from "bun:test";
import { findNearestName } from "./nearest-name";

const names = ["gpt-5-mini", "gpt-5", "sandbox-echo", "max_tokens", "id", "api.roles.read"];

test.each([
  ["gpt5-mini", "gpt-5-mini"],
  ["GPT-5", "gpt-5"],
  ["sandbox-ehco", "sandbox-echo"],
  ["max_token", "max_tokens"],
  ["maxTokens", "max_tokens"],
  ["api.role.read", "api.roles.read"],
  ["ib", "id"],
])("%s is taken for %s", (text, name) => {
  expect(findNearestName(text, names)).toBe(name);
});

test.each(["", "x", "claude", "gpt-5-mini-2026-01-01", "tokens", "x".repeat(12_000)])(
  "nothing is near to %p",
  (text) => {
    expect(findNearestName(text, names)).toBeNull();
  },
);

test("the nearest counts, not the first", () => {
  expect(findNearestName("gpt-5-minis", ["gpt-5-moni", "gpt-5-mini"])).toBe("gpt-5-mini");
});

test("however many names there are, and however long, a bounded number is looked at", () => {
  let reads = 0;
  function* many() {
    for (; reads < 1_000_000; reads++) yield `${"x".repeat(190)}${reads}`;
  }
  expect(findNearestName(`${"y".repeat(190)}1`, many())).toBeNull();
  expect(reads).toBeLessThan(1_000);
});
