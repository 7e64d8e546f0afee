import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { decimal } from "@/lib/contract/schema";
import { formatAmount, toNano } from "@/lib/money/amount";
import { parseDecimal } from "./parse-number";

const validCases: [string, string][] = [
  ["10", "10"],
  ["10.00", "10.00"],
  ["1,000.5", "1000.5"],
  ["$ 25", "25"],
  [".5", "0.5"],
  ["5.", "5"],
  ["007.10", "7.10"],
  ["0.000000001", "0.000000001"],
  ["1.0000000000", "1.000000000"],
  ["9,000,000,000", "9000000000"],
  ["1,5", "1.5"],
  ["10,00", "10.00"],
  ["0,125", "0.125"],
  ["1.234,50", "1234.50"],
  ["1.234.567", "1234567"],
  ["1.234.567,8", "1234567.8"],
  ["1 234,50 €", "1234.50"],
  ["1'234.50", "1234.50"],
  ["1,234", "1234"],
  ["1.234", "1.234"],
  ["+25.00", "25.00"],
  ["1\u00a0234,50", "1234.50"],
  ["1\u202f234,50", "1234.50"],
  ["1\u2009234,50", "1234.50"],
  ["1\u2007234\u2007567", "1234567"],
  ["\u200b 10.00\u2060\ufeff\t\r\n", "10.00"],
];

const invalidCases: [string, RegExp][] = [
  ["", /number/],
  ["-1", /0 or more/],
  ["+", /number/],
  ["+-1", /0 or more/],
  ["++1", /number/],
  ["1.234,567.8", /number/],
  ["1,234.567,8", /number/],
  ["01,234", /number/],
  ["10 XYZ", /number/],
  ["$", /number/],
  ["ten", /number/],
  ["1,000,00", /number/],
  ["1.2.3", /number/],
  [".", /number/],
  ["1e3", /number/],
  ["−5", /0 or more/],
  ["１２", /number/],
  ["10^15", /number/],
  ["(5.00)", /number/],
  ["1\u200b0", /number/],
  ["\u202e01", /number/],
  ["1 0", /number/],
  ["1 234\u00a0567", /number/],
  ["=1+1", /number/],
  ["１０", /number/],
  ["٣", /number/],
  ["NaN", /number/],
  ["0.0000000001", /9 decimal places/],
  ["9,000,000,000.01", /at most 9,000,000,000/],
  ["10000000000", /at most 9,000,000,000/],
];

describe("parseDecimal", () => {
  for (const [text, value] of validCases) {
    test(`understands ${JSON.stringify(text)}`, () =>
      expect(parseDecimal(text)).toEqual({ ok: true, value }));
  }

  for (const [text, words] of invalidCases) {
    test(`refuses ${JSON.stringify(text)} in words`, () => {
      const result = parseDecimal(text);
      expect(result.ok ? "" : result.message).toMatch(words);
    });
  }

  test("takes what the API takes", () => {
    const nano = fc.bigInt({ min: 0n, max: 10n ** 19n });
    fc.assert(
      fc.property(nano, (value) => {
        const text = formatAmount(toNano(value));
        return parseDecimal(text).ok === decimal.safeParse(text).success;
      }),
    );
  });

  describe("an amount that is paid", () => {
    const parseAmount = (text: string) => parseDecimal(text, { currency: "USD" });

    for (const [text, value] of [
      ["$10", "10"],
      ["10 USD", "10"],
      ["usd 1,234.50", "1234.50"],
      ["US$1,234.50", "1234.50"],
      ["10,50 US$", "10.50"],
      ["1.234,50", "1234.50"],
      ["1,234", "1234"],
      ["0.125", "0.125"],
      ["1.2340", "1.2340"],
      ["1234.567", "1234.567"],
    ] as const) {
      test(`understands ${JSON.stringify(text)}`, () =>
        expect(parseAmount(text)).toEqual({ ok: true, value }));
    }

    for (const [text, words] of [
      ["1.234", /two amounts. Write 1234.00 or 1.2340/],
      ["$ 12.345", /two amounts/],
      ["€10", /in USD: “€” is another currency/],
      ["10 EUR", /in USD/],
      ["CA$10", /in USD: “CA\$” is another currency/],
    ] as const) {
      test(`refuses ${JSON.stringify(text)} in words`, () => {
        const result = parseAmount(text);
        expect(result.ok ? "" : result.message).toMatch(words);
      });
    }
  });

  test("writes no more decimal places than the currency has", () => {
    expect(parseDecimal("1.25", { places: 2 })).toEqual({ ok: true, value: "1.25" });
    expect(parseDecimal("1.255", { places: 2 }).ok).toBe(false);
  });
});
