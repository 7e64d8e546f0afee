import { expect, test } from "bun:test";
import { groupDigits, trimDecimal } from "./group-digits";

test("groups whole digits in threes and leaves the fraction unchanged", () => {
  expect(groupDigits("0")).toBe("0");
  expect(groupDigits("999")).toBe("999");
  expect(groupDigits("1000")).toBe("1,000");
  expect(groupDigits("-1234567.123456789")).toBe("-1,234,567.123456789");
  expect(groupDigits("9007199254740991")).toBe("9,007,199,254,740,991");
});

test("shows money with two places or as many as it has", () => {
  expect(trimDecimal("10")).toBe("10.00");
  expect(trimDecimal("0.5")).toBe("0.50");
  expect(trimDecimal("0.000120000")).toBe("0.00012");
  expect(trimDecimal("-3.100000000")).toBe("-3.10");
});
