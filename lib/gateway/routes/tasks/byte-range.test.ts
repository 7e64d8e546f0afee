import { expect, test } from "bun:test";
import { readByteRange } from "./files";

test.each([
  [null, null],
  ["bytes=0-", { start: 0, end: 100 }],
  ["bytes=10-19", { start: 10, end: 20 }],
  ["bytes=90-900", { start: 90, end: 100 }],
  ["bytes=-10", { start: 90, end: 100 }],
  ["bytes=-900", { start: 0, end: 100 }],
  ["bytes=100-", "unsatisfiable"],
  ["bytes=-0", "unsatisfiable"],
  ["bytes=20-10", null],
  ["bytes=0-1,5-6", null],
  ["items=0-1", null],
] as const)("of 100 bytes %p is %p", (header, part) => {
  expect(readByteRange(header, 100)).toEqual(part);
});
