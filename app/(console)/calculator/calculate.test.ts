import { expect, test } from "bun:test";
import fc from "fast-check";
import { parseCheckedAmount, toNano } from "@/lib/money/amount";
import {
  computeCallCost,
  computePurchase,
  computeWorth,
  paymentFor,
  readAmount,
  readCount,
  readRate,
} from "./calculate";

const price = {
  inputPer1m: parseCheckedAmount("1.00"),
  outputPer1m: parseCheckedAmount("2.00"),
  rate: parseCheckedAmount("0.5"),
};

test("10.00 at rate 0.2 is worth 50.00, and 50.00 of worth costs 10.00", () => {
  const rate = readRate("0.2").value;
  expect(computeWorth(readAmount("10.00").value, rate)).toEqual({
    amount: parseCheckedAmount("50.00"),
    isRounded: false,
  });
  expect(paymentFor(readAmount("50.00").value, rate)).toEqual({
    amount: parseCheckedAmount("10.00"),
    isRounded: false,
  });
});

test("marks results that are not exact at nine decimals", () => {
  const third = computeWorth(parseCheckedAmount("0.1"), parseCheckedAmount("0.3"));
  expect(third).toEqual({ amount: parseCheckedAmount("0.333333333"), isRounded: true });
  expect(paymentFor(parseCheckedAmount("0.000000001"), parseCheckedAmount("0.3"))?.isRounded).toBe(true);
  expect(
    computeCallCost(
      { promptTokens: 1, completionTokens: 0 },
      { ...price, inputPer1m: parseCheckedAmount("0.0005") },
    ),
  ).toEqual({
    listPrice: { amount: parseCheckedAmount("0.000000001"), isRounded: true },
    charge: { amount: parseCheckedAmount("0.00"), isRounded: true },
  });
});

test("the most the API takes can be calculated with", () => {
  expect(readAmount("9,000,000,000").value).toBe(parseCheckedAmount("9000000000"));
  expect(computeWorth(parseCheckedAmount("9000000000"), parseCheckedAmount("0.000000001"))?.amount).toBe(
    toNano(9n * 10n ** 27n),
  );
});

test("a worth and its payment belong together to the last nano-unit that a rate of one half keeps", () => {
  const even = fc.bigInt({ min: 0n, max: 10n ** 15n }).map((value) => toNano(value * 2n));
  fc.assert(
    fc.property(
      even,
      (worth) =>
        computeWorth(paymentFor(worth, parseCheckedAmount("0.5"))?.amount ?? null, parseCheckedAmount("0.5"))
          ?.amount === worth,
    ),
  );
});

test.each(["0", "0.00", "x", "-1"])("a rate of %p is refused in words", (text) => {
  expect(readRate(text)).toEqual({ value: null, fault: expect.any(String) });
});

test("nothing typed is neither a number nor a fault", () => {
  for (const read of [readAmount, readRate, readCount])
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

test("a call is charged its list price × model rate", () => {
  const { listPrice, charge } = computeCallCost(
    { promptTokens: 1_000_000, completionTokens: 500_000 },
    price,
  );
  expect([listPrice.amount, charge.amount]).toEqual([parseCheckedAmount("2.00"), parseCheckedAmount("1.00")]);
});
