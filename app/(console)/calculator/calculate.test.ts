import { expect, test } from "bun:test";
import fc from "fast-check";
import { amountOf, formatAmount, toNano } from "@/lib/money/amount";
import { costOfCall, paymentFor, readAmount, readRate, readTokens, tokensFor, worthOf } from "./calculate";

const price = { inputPer1m: amountOf("1.00"), outputPer1m: amountOf("2.00"), rate: amountOf("0.5") };

test("10.00 at rate 0.2 is worth 50.00, and 50.00 of worth costs 10.00", () => {
  expect(worthOf(readAmount("10.00").value, readRate("0.2").value)).toBe("50.00");
  expect(paymentFor(readAmount("50.00").value, readRate("0.2").value)).toBe("10.00");
});

test("a worth and its payment belong together to the last nano-unit that a rate of one half keeps", () => {
  const even = fc.bigInt({ min: 0n, max: 10n ** 15n }).map((value) => toNano(value * 2n));
  fc.assert(
    fc.property(
      even,
      (worth) =>
        worthOf(amountOf(paymentFor(worth, amountOf("0.5")) ?? ""), amountOf("0.5")) === formatAmount(worth),
    ),
  );
});

test.each(["0", "0.00", "x", "-1"])("a rate of %p is refused in words", (text) => {
  expect(readRate(text)).toEqual({ value: null, fault: expect.any(String) });
});

test("nothing typed is neither a number nor a fault", () => {
  for (const read of [readAmount, readRate, readTokens])
    expect(read(" ")).toEqual({ value: null, fault: null });
});

test("a payment buys the tokens that cost just that", () => {
  const { input, output } = tokensFor(amountOf("10.00"), price);
  expect(costOfCall(input, 0, price).charge).toBe("10.00");
  expect(costOfCall(0, output, price).charge).toBe("10.00");
});

test("a call is charged its list price × model rate", () => {
  expect(costOfCall(1_000_000, 500_000, price)).toEqual({ listPrice: "2.00", charge: "1.00" });
});
