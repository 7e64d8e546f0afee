import { expect, test } from "bun:test";
import fc from "fast-check";
import { type LimitValue, parseTyped } from "./parse-typed";

const removable = { label: "Requests per day", removable: true };
const fixed = { label: "Requests per minute", removable: false };
const parse = (text: string, present: number | null = 600, field = removable) =>
  parseTyped(text, { field, present });
const count = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });
const group = (value: number, separator: string) =>
  String(value).replace(/\B(?=(\d{3})+$)/g, () => separator);

test.each<[string, LimitValue]>([
  ["12k", 12_000],
  ["1.5m", 1_500_000],
  ["1,5m", 1_500_000],
  ["2b", 2_000_000_000],
  [" 1 000 ", 1000],
  ["1,234.00", 1234],
  ["1.234,00", 1234],
  ["60.0", 60],
  ["0", 0],
  ["x2", 1200],
  ["× 1.5", 900],
  ["2x", 1200],
  ["*0,5", 300],
  ["+10%", 660],
  ["-10 %", 540],
  ["−100%", 0],
  ["none", null],
  ["No limit", null],
  ["default", "default"],
])("%s is understood", (text, to) => {
  expect(parse(text)).toEqual({ kind: "set", to });
});

test.each(["", "   ", "n/a"])("“%s” leaves the cell as it is", (text) => {
  expect(parse(text)).toEqual({ kind: "unchanged" });
});

test.each([
  ["-5", 600, /0 or more/],
  ["12,5", 600, /two numbers/],
  ["many", 600, /whole number/],
  ["110%", 600, /\+10%/],
  ["x", 600, /whole number/],
  ["x1.2.3", 600, /factor/],
  ["-120%", 600, /below 0/],
  ["+1%", 250, /Enter 252 or 253/],
  ["x2", null, /no limit to multiply/],
  ["x2", Number.MAX_SAFE_INTEGER, /at most/],
  ["9007199254740993", 600, /at most/],
  ["1.00E+06", 600, /whole number/],
])("%s of %p is a fault with a sentence", (text, present, message) => {
  expect(parse(text, present)).toEqual({ kind: "fault", message: expect.stringMatching(message) });
});

test("a limit that always needs a number refuses to have none", () => {
  expect(parse("none", 600, fixed)).toEqual({
    kind: "fault",
    message: expect.stringMatching(/needs a number/),
  });
});

test("where commas group digits, 1.000 can mean two numbers", () => {
  expect(parseTyped("1.000", { field: removable, present: null, dotsGroup: false })).toMatchObject({
    kind: "fault",
  });
});

test("every number is read back, however its digits are grouped", () => {
  const separators = fc.constantFrom("", ",", ".", "_", " ", "'", "’", "\u00a0", "\u202f");
  fc.assert(
    fc.property(count, separators, (value, separator) => {
      expect(parse(group(value, separator))).toEqual({ kind: "set", to: value });
    }),
  );
});

test("a factor and a percentage are exact or refused, never rounded", () => {
  const whole = fc.integer({ min: 0, max: 1_000_000_000 });
  fc.assert(
    fc.property(whole, fc.integer({ min: 0, max: 1000 }), (present, percent) => {
      const typed = parse(`+${percent}%`, present);
      const hundredfold = present * (100 + percent);
      if (hundredfold % 100 === 0) expect(typed).toEqual({ kind: "set", to: hundredfold / 100 });
      else expect(typed.kind).toBe("fault");
    }),
  );
});

test("no text throws, and what is set is a number that the gateway takes", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      const typed = parse(text);
      if (typed.kind !== "set" || typed.to === null || typed.to === "default") return;
      expect(Number.isSafeInteger(typed.to) && typed.to >= 0).toBe(true);
    }),
  );
});
