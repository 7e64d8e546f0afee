import { expect, test } from "bun:test";
import { parseTimeRange } from "./time-range";

const NOW = 1_800_000_000;
const readQuery = (query: Record<string, string>) => (name: string) => query[name] ?? "";

test("a range ends now, is all there is, or is a stretch that was chosen", () => {
  expect(parseTimeRange(readQuery({}), NOW, "24h")).toEqual({ start: NOW - 86_400, end: null });
  expect(parseTimeRange(readQuery({ range: "1h" }), NOW, "24h")).toEqual({ start: NOW - 3_600, end: null });
  expect(parseTimeRange(readQuery({ range: "all" }), NOW, "24h")).toEqual({ start: null, end: null });
  expect(parseTimeRange(readQuery({ range: "1h", from: "5", to: "9" }), NOW, "24h")).toEqual({
    start: 5,
    end: 9,
  });
  for (const odd of ["toString", "1y", "-1"]) {
    expect(parseTimeRange(readQuery({ range: odd, from: "x" }), NOW, "24h")).toEqual({
      start: NOW - 86_400,
      end: null,
    });
  }
  expect(parseTimeRange(readQuery({}), NOW, "all")).toEqual({ start: null, end: null });
});
