import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  computePaymentForWorth,
  computeWorth,
  divideRounded,
  formatAmount,
  NANO_PER_UNIT,
  parseAmount,
  toNano,
} from "./amount";
import { computeCallCost, computeCharge, computeListPrice, countAffordableOutputTokens } from "./charge";

const amount = (text: string) => parseAmount(text) ?? expect.unreachable(`not an amount: ${text}`);
const price = (input: string, output: string, rate: string) => ({
  inputPer1m: amount(input),
  outputPer1m: amount(output),
  rate: amount(rate),
});

describe("amounts", () => {
  test("are read and written exactly", () => {
    expect(amount("10.00")).toBe(toNano(10n * NANO_PER_UNIT));
    expect(formatAmount(amount("0.000000001"))).toBe("0.000000001");
    expect(formatAmount(amount("-3.1"))).toBe("-3.10");
    expect(formatAmount(amount("1234567.5"))).toBe("1234567.50");
  });

  test.each(["", ".5", "1.", "+1", "1e3", " 1", "1,000", "0.0000000001", "NaN", "99999999999", "９"])(
    "refuse %p",
    (text) => {
      expect(parseAmount(text)).toBeNull();
    },
  );

  test("survive a round trip", () => {
    const any = fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n });
    fc.assert(fc.property(any, (value) => parseAmount(formatAmount(toNano(value))) === value));
  });
});

describe("rounding", () => {
  test.each([
    [5n, 2n, 3n],
    [-5n, 2n, -3n],
    [7n, 5n, 1n],
    [8n, 5n, 2n],
    [-8n, 5n, -2n],
    [1n, 3n, 0n],
  ])("%p / %p is %p", (numerator, divisor, expected) => {
    expect(divideRounded(numerator, divisor)).toBe(expected);
  });

  test("is never further than one half from the exact quotient", () => {
    const numerator = fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n });
    const divisor = fc.bigInt({ min: 1n, max: 10n ** 12n });
    fc.assert(
      fc.property(numerator, divisor, (n, d) => {
        const error = 2n * (divideRounded(n, d) * d - n);
        return error <= d && error >= -d;
      }),
    );
  });
});

describe("model rate", () => {
  test("a payment of 10.00 at 0.2 is worth 50.00", () => {
    expect(formatAmount(computeWorth(amount("10.00"), amount("0.2")).amount)).toBe("50.00");
    expect(formatAmount(computePaymentForWorth(amount("50.00"), amount("0.2")).amount)).toBe("10.00");
  });

  test("a worth and its payment belong together to the last nano-unit that a rate of one half keeps", () => {
    const half = amount("0.5");
    const even = fc.bigInt({ min: 0n, max: 10n ** 15n }).map((value) => toNano(value * 2n));
    fc.assert(
      fc.property(
        even,
        (worth) => computeWorth(computePaymentForWorth(worth, half).amount, half).amount === worth,
      ),
    );
  });

  test("results that nine decimals can't hold are marked as rounded", () => {
    expect(computeWorth(amount("0.1"), amount("0.3"))).toEqual({
      amount: amount("0.333333333"),
      isRounded: true,
    });
    expect(computePaymentForWorth(amount("0.000000001"), amount("0.3")).isRounded).toBe(true);
    expect(computeWorth(amount("10.00"), amount("0.2")).isRounded).toBe(false);
    expect(computePaymentForWorth(amount("50.00"), amount("0.2")).isRounded).toBe(false);
  });

  test("a rate of 0 has no worth", () => {
    expect(() => computeWorth(amount("1.00"), amount("0"))).toThrow(RangeError);
  });

  test("calculator and ledger agree: usage worth W at list prices is charged what W costs", () => {
    const million = { promptTokens: 1_000_000, completionTokens: 0 };
    const model = price("50.00", "2.00", "0.2");
    expect(computeCharge(million, model)).toBe(
      computePaymentForWorth(computeListPrice(million, model), model.rate).amount,
    );
  });
});

describe("charges", () => {
  test("come with the list price, each marked if nine decimals can't hold it", () => {
    const exact = computeCallCost(
      { promptTokens: 1_000_000, completionTokens: 500_000 },
      price("1.00", "2.00", "0.5"),
    );
    expect(exact.listPrice).toEqual({ amount: amount("2.00"), isRounded: false });
    expect(exact.charge).toEqual({ amount: amount("1.00"), isRounded: false });
    const tiny = computeCallCost({ promptTokens: 1, completionTokens: 0 }, price("0.0005", "2.00", "0.5"));
    expect(tiny.listPrice).toEqual({ amount: amount("0.000000001"), isRounded: true });
    expect(tiny.charge).toEqual({ amount: amount("0.00"), isRounded: true });
  });

  test("and list prices are marked as rounded by what their tokens of audio cost", () => {
    const usage = {
      promptTokens: 1_000_000,
      completionTokens: 0,
      audio: { promptTokens: 1, completionTokens: 0 },
    };
    const audio = { inputPer1m: amount("1.0005"), outputPer1m: amount("2.00") };
    expect(computeCallCost(usage, { ...price("1.00", "2.00", "1"), audio })).toEqual({
      listPrice: { amount: amount("1.000000001"), isRounded: true },
      charge: { amount: amount("1.000000001"), isRounded: true },
    });
  });

  test("are usage × list price × model rate", () => {
    const usage = { promptTokens: 3, completionTokens: 3 };
    expect(formatAmount(computeCharge(usage, price("1.00", "2.00", "0.5")))).toBe("0.0000045");
  });

  test("tokens of audio cost their own price, in each direction", () => {
    const audio = { inputPer1m: amount("40.00"), outputPer1m: amount("80.00") };
    const usage = {
      promptTokens: 100,
      completionTokens: 50,
      audio: { promptTokens: 80, completionTokens: 40 },
    };
    const charge = computeCharge(usage, { ...price("2.00", "10.00", "1"), audio });
    // 20 × 2 + 80 × 40 + 10 × 10 + 40 × 80, per million.
    expect(formatAmount(charge)).toBe("0.00654");
  });

  test("the affordable output is the largest that still fits", () => {
    const tokens = fc.integer({ min: 0, max: 100_000 });
    const money = fc.bigInt({ min: 1n, max: 10n ** 12n }).map(toNano);
    fc.assert(
      fc.property(
        tokens,
        money,
        money,
        money,
        money,
        (promptTokens, inputPer1m, outputPer1m, rate, available) => {
          const snapshot = { inputPer1m, outputPer1m, rate };
          const max = countAffordableOutputTokens(promptTokens, snapshot, available);
          const costs = (completionTokens: number) =>
            computeCharge({ promptTokens, completionTokens }, snapshot);
          if (max < 0) return costs(0) > available;
          return costs(max) <= available && (max === Number.MAX_SAFE_INTEGER || costs(max + 1) > available);
        },
      ),
    );
  });
});
