import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { formatCount } from "../values/group-digits";
import { parseQuantity } from "./parse-number";

const validCases: [string, number][] = [
  ["0", 0],
  ["1000", 1000],
  [" 1,000 ", 1000],
  ["1_000", 1000],
  ["1 000 000", 1_000_000],
  ["1\u202f000", 1000],
  ["1\u2007000", 1000],
  ["\u200b1000\ufeff", 1000],
  ["12,345,678", 12_345_678],
  ["1k", 1000],
  ["1 K", 1000],
  ["2.5m", 2_500_000],
  ["0.001k", 1],
  ["1,000k", 1_000_000],
  ["1.2500m", 1_250_000],
  ["3b", 3_000_000_000],
  ["007", 7],
  ["9007199254740991", Number.MAX_SAFE_INTEGER],
  ["9,007,199,254,740,991", Number.MAX_SAFE_INTEGER],
];

const invalidCases: [string, RegExp][] = [
  ["", /whole number/],
  ["-1", /0 or more/],
  ["−5", /0 or more/],
  ["1.5", /without a fraction/],
  ["1.", /without a fraction/],
  ["1.2345k", /without a fraction/],
  ["1.000", /two numbers.*1,000/],
  ["1.234.567", /two numbers.*1,234,567/],
  ["1,5", /two numbers/],
  ["10,00", /two numbers/],
  ["1,000_000", /two numbers/],
  ["1,000.5", /two numbers/],
  ["1e6", /1000, 1,000, 1k/],
  ["k", /whole number/],
  ["ten", /whole number/],
  ["1kk", /whole number/],
  ["10 requests", /whole number/],
  ["1,5m", /whole number/],
  ["0x10", /whole number/],
  ["9007199254740992", /at most 9,007,199,254,740,991/],
  ["10000000b", /at most/],
];

describe("parseQuantity", () => {
  for (const [text, value] of validCases) {
    test(`understands ${JSON.stringify(text)}`, () =>
      expect(parseQuantity(text)).toEqual({ ok: true, value }));
  }

  for (const [text, words] of invalidCases) {
    test(`refuses ${JSON.stringify(text)} in words`, () => {
      const result = parseQuantity(text);
      expect(result.ok).toBe(false);
      expect(result.ok ? "" : result.message).toMatch(words);
    });
  }

  test("reads back every number it can hold, plain and grouped", () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), (value) => {
        expect(parseQuantity(String(value))).toEqual({ ok: true, value });
        expect(parseQuantity(formatCount(value))).toEqual({ ok: true, value });
      }),
    );
  });
});
