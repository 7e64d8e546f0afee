import { expect, test } from "bun:test";
import { formatAmount, parseCheckedAmount } from "@/lib/money/amount";
import { roundUp } from "./rounded-up-money";

test.each([
  ["0.06520564", "0.066"],
  ["0.000060001", "0.000061"],
  ["0.000000003", "0.000000003"],
  ["0.25", "0.25"],
  ["12.341", "12.35"],
  ["1284.99", "1284.99"],
  ["0", "0"],
])("the most that a call costs, %s, is shown as %s: never as less", (amount, shown) => {
  const rounded = roundUp(parseCheckedAmount(amount));
  expect(rounded).toBe(parseCheckedAmount(shown));
  expect(parseCheckedAmount(formatAmount(rounded)) >= parseCheckedAmount(amount)).toBe(true);
});
