import { expect, test } from "bun:test";
import { formatCents, parseCents } from "./amount";

test.each([
  [0, "0.00"],
  [1, "0.01"],
  [2550, "25.50"],
  [900_000_000_000, "9000000000.00"],
])("%i cents are %s, and back", (cents, decimal) => {
  expect(formatCents(cents)).toBe(decimal);
  expect(parseCents(decimal)).toBe(cents);
});

test("a decimal without its cents is as many", () => expect(parseCents("300")).toBe(30_000));
