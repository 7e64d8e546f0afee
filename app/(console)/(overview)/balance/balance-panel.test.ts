import { expect, test } from "bun:test";
import { formatAmount } from "@/lib/money/amount";
import { buildBalanceHistory } from "./balance-panel";

const buckets = [
  { start_time: 100, amount: "1.00" },
  { start_time: 200, amount: "0.000000001" },
  { start_time: 300, amount: "3.00" },
];
const history = (movements: Parameters<typeof buildBalanceHistory>[2]) =>
  buildBalanceHistory("10.00", buckets, movements).map(formatAmount);

test("what was spent since is added to the present balance, exactly", () => {
  expect(history([])).toEqual(["13.000000001", "13.00", "10.00"]);
});

test("a payment or a correction moves the balance of its bucket and of no earlier one", () => {
  const payment = { created_at: 200, balance_change: "5.00" };
  const taken = { created_at: 399, balance_change: "-0.50" };
  expect(history([taken, payment])).toEqual(["8.500000001", "13.50", "10.00"]);
  expect(history([{ created_at: 99, balance_change: "5.00" }])).toEqual(history([]));
});

test("a balance that was negative is shown as it was", () => {
  expect(history([{ created_at: 300, balance_change: "20.00" }])).toEqual(["-6.999999999", "-7.00", "10.00"]);
});
