import { expect, test } from "bun:test";
import * as z from "zod/mini";
import { decimal, displayName, pageQuery, positiveDecimal } from "./schema";

const isName = (text: string) => displayName.safeParse(text).success;

test("a name may be in any script and direction, and have emoji of several signs", () => {
  for (const name of ["שלום עולם", "مرحبا", "日本語", "👩‍👩‍👧‍👦 family", "=cmd|calc", "<b>bold</b>"])
    expect([name, isName(name)]).toEqual([name, true]);
});

test("a name can't turn the direction of the text beside it", () => {
  for (const sign of ["\u202e", "\u202a", "\u2066", "\u2069"])
    expect([sign, isName(`invoice${sign}fdp.exe`)]).toEqual([sign, false]);
});

test("a name has something to see", () => {
  for (const sign of ["\u200b", "\u2060", "\u00ad", "\u3164", "\u2800"])
    expect([sign, isName(sign), isName(`${sign}a`)]).toEqual([sign, false, true]);
});

test.each(["0", "25.00", "0.000000001", "8999999999.999999999", "9000000000", "9000000000.000"])(
  "%s is an amount",
  (text) => expect(z.safeParse(decimal, text).success).toBe(true),
);

test.each([
  "",
  "-1",
  "+1",
  "1e3",
  ".5",
  "5.",
  "1,000",
  " 1",
  "1.0000000001",
  "9000000000.000000001",
  "9000000001",
])("%j is no amount", (text) => expect(z.safeParse(decimal, text).success).toBe(false));

test("zero is not a positive amount", () => {
  expect(positiveDecimal.safeParse("0.000").error?.issues[0]?.message).toBe("must be greater than 0");
});

test("a page's limit is a whole number from 1 to 1000", () => {
  expect(z.parse(pageQuery, { limit: "1000" })).toEqual({ limit: 1000 });
  for (const limit of ["0", "1001", "-1", "1.5", "ten", ""]) {
    expect(z.safeParse(pageQuery, { limit }).success).toBe(false);
  }
});
