import { expect, test } from "bun:test";
import { requestParameters, timeRangeOf } from "./request-filter";

const NOW = 1_800_000_000;
const given = (query: Record<string, string>) => (name: string) => query[name] ?? "";

test("a range ends now, is all there is, or is a stretch that was chosen", () => {
  expect(timeRangeOf(given({}), NOW)).toEqual({ start: NOW - 86_400, end: null });
  expect(timeRangeOf(given({ range: "1h" }), NOW)).toEqual({ start: NOW - 3_600, end: null });
  expect(timeRangeOf(given({ range: "all" }), NOW)).toEqual({ start: null, end: null });
  expect(timeRangeOf(given({ range: "1h", from: "5", to: "9" }), NOW)).toEqual({ start: 5, end: 9 });
  for (const odd of ["toString", "1y", "-1"]) {
    expect(timeRangeOf(given({ range: odd, from: "x" }), NOW)).toEqual({ start: NOW - 86_400, end: null });
  }
});

test("what the gateway would refuse is left out of an address that somebody has changed by hand", () => {
  const odd = {
    outcome: "lost",
    status: "many",
    min_amount: "1,5",
    min_duration_ms: "2 s",
    model: " gpt-5 ",
  };
  const asked = Object.entries(requestParameters(given({ ...odd, range: "all" }), NOW));
  expect(asked.filter(([, value]) => value !== undefined)).toEqual([
    ["model", "gpt-5"],
    ["limit", "50"],
  ]);
});
