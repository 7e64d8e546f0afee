import { expect, test } from "bun:test";
import { computeWorth, parseCheckedAmount, toNano } from "@/lib/money/amount";
import { computeCallCost } from "@/lib/money/charge";
import { computePurchase, parseTypedAmount, parseTypedCount, parseTypedRate } from "./calculate";

const price = {
  inputPer1m: parseCheckedAmount("1.00"),
  outputPer1m: parseCheckedAmount("2.00"),
  rate: parseCheckedAmount("0.5"),
};

test("the most the API takes can be calculated with", () => {
  expect(parseTypedAmount("9,000,000,000").value).toBe(parseCheckedAmount("9000000000"));
  expect(computeWorth(parseCheckedAmount("9000000000"), parseCheckedAmount("0.000000001")).amount).toBe(
    toNano(9n * 10n ** 27n),
  );
});

test.each(["0", "0.00", "x", "-1"])("a rate of %p is refused in words", (text) => {
  expect(parseTypedRate(text)).toEqual({ value: null, fault: expect.any(String) });
});

test("nothing typed is neither a number nor a fault", () => {
  for (const read of [parseTypedAmount, parseTypedRate, parseTypedCount])
    expect(read(" ")).toEqual({ value: null, fault: null });
});

test("a payment buys the tokens and calls that cost just that", () => {
  const call = { promptTokens: 1_000, completionTokens: 500 };
  const bought = computePurchase({ payment: parseCheckedAmount("10.00") }, price, call);
  const computeCost = (promptTokens: number, completionTokens: number) =>
    computeCallCost({ promptTokens, completionTokens }, price).charge.amount;
  expect(computeCost(bought.inputTokens ?? 0, 0)).toBe(parseCheckedAmount("10.00"));
  expect(computeCost(0, bought.outputTokens ?? 0)).toBe(parseCheckedAmount("10.00"));
  expect(bought.calls).toBe(10_000);
  expect(bought.worth.amount).toBe(parseCheckedAmount("20.00"));
});

test("a payment buys whole units of a model that is priced by the unit", () => {
  const none = { inputPer1m: parseCheckedAmount("0"), outputPer1m: parseCheckedAmount("0") };
  const images = {
    ...none,
    rate: parseCheckedAmount("0.5"),
    perUnit: { unit: "image", amount: parseCheckedAmount("0.03") },
  };
  const call = { promptTokens: 1_000, completionTokens: 500, units: 4_000_000 };
  const bought = computePurchase({ payment: parseCheckedAmount("10.00") }, images, call);
  expect(bought).toMatchObject({ inputTokens: null, outputTokens: null, units: 666, calls: 166 });
  expect(bought.worth.amount).toBe(parseCheckedAmount("20.00"));
  expect(bought.callCost.charge).toEqual({ amount: parseCheckedAmount("0.06"), isRounded: false });
  const free = { ...images, perUnit: { unit: "image", amount: parseCheckedAmount("0") } };
  expect(computePurchase({ payment: parseCheckedAmount("10.00") }, free, call).units).toBe(
    Number.POSITIVE_INFINITY,
  );
  const tiny = { ...images, perUnit: { unit: "image", amount: parseCheckedAmount("0.000000001") } };
  expect(computeCallCost({ ...call, units: 1_000_000 }, tiny).charge.isRounded).toBe(true);
});

test("the same asked the other way: a worth, and what it costs", () => {
  const call = { promptTokens: 1_000, completionTokens: 500 };
  expect(computePurchase({ worth: parseCheckedAmount("20.00") }, price, call)).toEqual(
    computePurchase({ payment: parseCheckedAmount("10.00") }, price, call),
  );
});
