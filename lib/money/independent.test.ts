import { describe, expect, test } from "bun:test";
import { Decimal } from "decimal.js";
import fc from "fast-check";
import { sumMonthCharges } from "../gateway/ledger/statements/statement-reader.sql";
import {
  computePaymentForWorth,
  computeWorth,
  formatAmount,
  formatRatio,
  type Nano,
  parseAmount,
  parseCheckedAmount,
  toNano,
} from "./amount";
import {
  computeCharge,
  computeListPrice,
  countAffordableOutputTokens,
  countAffordableUnits,
  findCallPrice,
  findCoveredUsage,
  findHighestPrice,
} from "./charge";
import {
  computeCallsCovered,
  computeDailyCost,
  computeDaysCovered,
  computePaymentToLast,
} from "./daily-cost";
import { chargeExamples, statementExamples, unitExamples, worthExamples } from "./worked-examples";

// An unrelated library, with more digits than any product here has.
const Exact = Decimal.clone({ precision: 120, rounding: Decimal.ROUND_HALF_UP });
const RUNS = { numRuns: 2_000 };

const exactDecimal = (amount: Nano) => new Exact(amount.toString()).div(1e9);
const roundNano = (value: Decimal) => value.toDecimalPlaces(9).times(1e9).toFixed(0);
const amounts = fc.bigInt({ min: 0n, max: 9n * 10n ** 18n }).map(toNano);
const positive = fc.bigInt({ min: 1n, max: 9n * 10n ** 18n }).map(toNano);
const small = fc.bigInt({ min: 1n, max: 10n ** 12n }).map(toNano);
const tokens = fc.integer({ min: 0, max: 10_000_000 });
const prices = fc.record({ inputPer1m: amounts, outputPer1m: amounts, rate: positive });
const usages = fc.record({ promptTokens: tokens, completionTokens: tokens });

/** A prompt of which parts are cached and written. */
const classUsages = fc
  .tuple(tokens, tokens, tokens, tokens, tokens)
  .map(([rest, cachedTokens, for5m, cacheWrite1hTokens, completionTokens]) => ({
    promptTokens: rest + cachedTokens + for5m + cacheWrite1hTokens,
    completionTokens,
    cachedTokens,
    cacheWriteTokens: for5m + cacheWrite1hTokens,
    cacheWrite1hTokens,
  }));
const inputs = { cachedInputPer1m: amounts, cacheWrite5mPer1m: amounts, cacheWrite1hPer1m: amounts };
const some = { requiredKeys: [] };
const classPrices = fc
  .tuple(
    prices,
    fc.record(inputs, some),
    fc.record({ inputPer1m: amounts, outputPer1m: amounts, ...inputs }, some),
    fc.integer({ min: 1, max: 40_000_000 }),
  )
  .map(([price, classes, long, from]) => ({
    ...price,
    classes: { ...classes, longContext: { ...long, from } },
  }));

describe("an independent library comes to the same", () => {
  test("a charge", () => {
    fc.assert(
      fc.property(usages, prices, (usage, price) => {
        const listPrice = exactDecimal(price.inputPer1m)
          .times(usage.promptTokens)
          .plus(exactDecimal(price.outputPer1m).times(usage.completionTokens))
          .div(1e6);
        expect(computeListPrice(usage, price).toString()).toBe(roundNano(listPrice));
        expect(computeCharge(usage, price).toString()).toBe(
          roundNano(listPrice.times(exactDecimal(price.rate))),
        );
      }),
      RUNS,
    );
  });

  test("a charge with cached tokens, tokens that were written to a cache, and prices of a long context", () => {
    fc.assert(
      fc.property(classUsages, classPrices, (usage, price) => {
        const { promptTokens, completionTokens, cachedTokens, cacheWriteTokens, cacheWrite1hTokens } = usage;
        const { longContext: long, ...base } = price.classes;
        const own = promptTokens > long.from ? { ...base, ...long } : base;
        const { inputPer1m = price.inputPer1m, outputPer1m = price.outputPer1m } =
          promptTokens > long.from ? long : {};
        const cost = (count: number, amount: Nano | undefined) =>
          exactDecimal(amount ?? inputPer1m).times(count);
        const listPrice = cost(promptTokens - cachedTokens - cacheWriteTokens, inputPer1m)
          .plus(cost(cachedTokens, own.cachedInputPer1m))
          .plus(cost(cacheWriteTokens - cacheWrite1hTokens, own.cacheWrite5mPer1m))
          .plus(cost(cacheWrite1hTokens, own.cacheWrite1hPer1m))
          .plus(cost(completionTokens, outputPer1m))
          .div(1e6);
        expect(computeListPrice(usage, price).toString()).toBe(roundNano(listPrice));
        expect(computeCharge(usage, price).toString()).toBe(
          roundNano(listPrice.times(exactDecimal(price.rate))),
        );
        // A charge is computed again from the prices that its entry has.
        expect(computeCharge(usage, findCallPrice(price, usage))).toBe(computeCharge(usage, price));
      }),
      RUNS,
    );
  });

  test("a charge by the unit", () => {
    fc.assert(
      fc.property(fc.nat(Number.MAX_SAFE_INTEGER), amounts, positive, (units, amount, rate) => {
        const none = { inputPer1m: toNano(0n), outputPer1m: toNano(0n) };
        const price = { ...none, rate, perUnit: { unit: "second", amount } };
        const listCharge = exactDecimal(amount).times(units).div(1e6);
        const usage = { promptTokens: 0, completionTokens: 0, units };
        expect(computeCharge(usage, price).toString()).toBe(roundNano(listCharge.times(exactDecimal(rate))));
      }),
      RUNS,
    );
  });

  test("a charge at exactly one half of the last decimal, and the smallest step beside it", () => {
    const halves = fc.bigInt({ min: 0n, max: 8n * 10n ** 15n }).map((half) => 2n * half + 1n);
    fc.assert(
      fc.property(halves, fc.constantFrom(-1, 0, 1), (odd, step) => {
        const none = { inputPer1m: toNano(0n), outputPer1m: toNano(0n), rate: toNano(1n) };
        // odd × 500 nano-units × 1,000,000 units × a rate of 10^-9 is odd ÷ 2 nano-units.
        const price = { ...none, perUnit: { unit: "second", amount: toNano(odd * 500n) } };
        const usage = { promptTokens: 0, completionTokens: 0, units: 1_000_000_000_000 + step };
        const exact = new Exact((odd * 500n).toString()).times(usage.units).div(1e15).div(1e9);
        expect(computeCharge(usage, price).toString()).toBe(roundNano(exact));
      }),
      RUNS,
    );
  });

  test("the charges of a month, and amounts of both signs", () => {
    const signedAmounts = fc.bigInt({ min: -9n * 10n ** 18n, max: 9n * 10n ** 18n }).map(toNano);
    fc.assert(
      fc.property(
        signedAmounts,
        amounts,
        amounts,
        signedAmounts,
        (openingBalance, payments, charges, corrections) => {
          const closingBalance = exactDecimal(openingBalance)
            .plus(exactDecimal(payments))
            .minus(exactDecimal(charges))
            .plus(exactDecimal(corrections));
          const sums = {
            opening: openingBalance,
            payments,
            corrections,
            closing: toNano(BigInt(roundNano(closingBalance))),
          };
          expect(sumMonthCharges(sums)).toBe(charges);
          expect(new Exact(formatAmount(corrections)).eq(exactDecimal(corrections))).toBe(true);
        },
      ),
      RUNS,
    );
  });

  test("a worth, and its payment", () => {
    fc.assert(
      fc.property(amounts, positive, (amount, rate) => {
        expect(computeWorth(amount, rate).amount.toString()).toBe(
          roundNano(exactDecimal(amount).div(exactDecimal(rate))),
        );
        expect(computePaymentForWorth(amount, rate).amount.toString()).toBe(
          roundNano(exactDecimal(amount).times(exactDecimal(rate))),
        );
      }),
      RUNS,
    );
  });

  test("amounts as they are read and written", () => {
    fc.assert(
      fc.property(amounts, (amount) => {
        const text = formatAmount(amount);
        expect(new Exact(text).eq(exactDecimal(amount))).toBe(true);
        expect(parseAmount(exactDecimal(amount).toFixed())).toBe(amount);
      }),
      RUNS,
    );
  });

  test("calls and tokens that an amount covers", () => {
    fc.assert(
      fc.property(
        small,
        usages,
        fc.record({ inputPer1m: small, outputPer1m: small, rate: small }),
        (available, usage, price) => {
          const charge = exactDecimal(computeCharge(usage, price));
          const calls = charge.isZero()
            ? Number.POSITIVE_INFINITY
            : exactDecimal(available).div(charge).floor().toNumber();
          expect(computeCallsCovered(available, usage, price)).toBe(
            Math.min(calls, calls === Number.POSITIVE_INFINITY ? calls : Number.MAX_SAFE_INTEGER),
          );
          const max = countAffordableOutputTokens(0, price, available);
          const costs = (completionTokens: number) =>
            exactDecimal(computeCharge({ promptTokens: 0, completionTokens }, price));
          if (max < Number.MAX_SAFE_INTEGER) {
            expect(
              costs(max).lte(exactDecimal(available)) && costs(max + 1).gt(exactDecimal(available)),
            ).toBe(true);
          }
        },
      ),
      RUNS,
    );
  });

  test("units that an amount covers", () => {
    fc.assert(
      fc.property(small, small, small, (available, amount, rate) => {
        const none = { inputPer1m: toNano(0n), outputPer1m: toNano(0n) };
        const price = { ...none, rate, perUnit: { unit: "second", amount } };
        const max = countAffordableUnits(price, available);
        const costs = (units: number) =>
          Number.isSafeInteger(units * 1e6)
            ? exactDecimal(
                computeCharge({ promptTokens: 0, completionTokens: 0, units: units * 1_000_000 }, price),
              )
            : null;
        const [last, next] = [costs(max), costs(max + 1)];
        if (!last || !next) return;
        expect([last.lte(exactDecimal(available)), next.gt(exactDecimal(available))]).toEqual([true, true]);
      }),
      RUNS,
    );
  });

  test("days, and what makes a balance last", () => {
    fc.assert(
      fc.property(small, positive, fc.integer({ min: 0, max: 36_525 }), (cost, available, days) => {
        const exact = exactDecimal(available).div(exactDecimal(cost)).times(1_000).floor().div(1_000);
        if (exact.lt(1e12)) expect(computeDaysCovered(available, cost)).toBe(exact.toNumber());
        const missingAmount = Exact.max(0, exactDecimal(cost).times(days).minus(exactDecimal(available)));
        expect(exactDecimal(computePaymentToLast(days, cost, available)).eq(missingAmount)).toBe(true);
        expect(formatRatio(available, cost)).toBe(
          formatAmount(
            toNano(
              BigInt(
                exactDecimal(available).div(exactDecimal(cost)).toDecimalPlaces(2).times(1e9).toFixed(0),
              ),
            ),
          ),
        );
      }),
      RUNS,
    );
  });

  test("a day of calls is as many charges", () => {
    fc.assert(
      fc.property(tokens, usages, prices, (calls, usage, price) => {
        const sum = exactDecimal(computeCharge(usage, price)).times(calls);
        expect(exactDecimal(computeDailyCost({ calls, usage, price })).eq(sum)).toBe(true);
      }),
    );
  });
});

describe("prices of classes", () => {
  test("no call costs more than its prompt and output at the highest price that they may have", () => {
    fc.assert(
      fc.property(classUsages, classPrices, fc.nat(1_000), (usage, price, room) => {
        const { promptTokens, completionTokens, cacheWriteTokens, cacheWrite1hTokens } = usage;
        const cacheWrite = cacheWrite1hTokens > 0 ? "1h" : cacheWriteTokens > 0 ? "5m" : undefined;
        const maxPromptTokens = promptTokens + room;
        const highest = findHighestPrice(price, { maxPromptTokens, cacheWrite });
        const hold = computeCharge({ promptTokens: maxPromptTokens, completionTokens }, highest);
        expect(computeCharge(usage, price) <= hold).toBe(true);
      }),
      RUNS,
    );
  });

  test("the part of a usage that an amount covers costs no more than it", () => {
    fc.assert(
      fc.property(classUsages, classPrices, amounts, (usage, price, available) => {
        const covered = findCoveredUsage(usage, price, available);
        expect(computeCharge(covered, price) <= available).toBe(true);
        const { promptTokens, cachedTokens = 0, cacheWriteTokens = 0, cacheWrite1hTokens = 0 } = covered;
        expect(cachedTokens + cacheWriteTokens).toBeLessThanOrEqual(promptTokens);
        expect(cacheWrite1hTokens).toBeLessThanOrEqual(cacheWriteTokens);
      }),
      RUNS,
    );
  });

  test("without a price of their own, classes change nothing", () => {
    fc.assert(
      fc.property(classUsages, prices, (usage, price) => {
        const { promptTokens, completionTokens } = usage;
        const plain = computeCharge({ promptTokens, completionTokens }, price);
        expect(computeCharge(usage, price)).toBe(plain);
        expect(computeCharge(usage, { ...price, classes: {} })).toBe(plain);
      }),
      RUNS,
    );
  });

  test.each([
    [200_000, "1.00"],
    [200_001, "2.00001"],
  ])("a prompt of %i tokens, where another price begins above 200,000, costs %s", (promptTokens, charge) => {
    const price = {
      inputPer1m: parseCheckedAmount("5"),
      outputPer1m: parseCheckedAmount("25"),
      rate: parseCheckedAmount("1"),
      classes: { longContext: { from: 200_000, inputPer1m: parseCheckedAmount("10") } },
    };
    expect(formatAmount(computeCharge({ promptTokens, completionTokens: 0 }, price))).toBe(charge);
  });
});

describe("worked examples", () => {
  test.each(worthExamples.map((example) => [example.shows, example] as const))("%s", (_, example) => {
    const { payment, rate, worth } = example;
    expect(formatAmount(computeWorth(parseCheckedAmount(payment), parseCheckedAmount(rate)).amount)).toBe(
      worth,
    );
  });

  test.each(chargeExamples.map((example) => [example.shows, example] as const))("%s", (_, example) => {
    const { promptTokens, completionTokens, inputPer1m, outputPer1m, rate, charge } = example;
    const price = {
      inputPer1m: parseCheckedAmount(inputPer1m),
      outputPer1m: parseCheckedAmount(outputPer1m),
      rate: parseCheckedAmount(rate),
    };
    expect(formatAmount(computeCharge({ promptTokens, completionTokens }, price))).toBe(charge);
  });

  test.each(unitExamples.map((example) => [example.shows, example] as const))("%s", (_, example) => {
    const { units, unit, amount, rate, charge } = example;
    const none = { inputPer1m: toNano(0n), outputPer1m: toNano(0n) };
    const price = {
      ...none,
      rate: parseCheckedAmount(rate),
      perUnit: { unit, amount: parseCheckedAmount(amount) },
    };
    const usage = { promptTokens: 0, completionTokens: 0, units: new Exact(units).times(1e6).toNumber() };
    expect(formatAmount(computeCharge(usage, price))).toBe(charge);
  });

  test.each(statementExamples.map((example) => [example.shows, example] as const))("%s", (_, example) => {
    const [opening, payments, corrections, closing] = (
      ["opening", "payments", "corrections", "closing"] as const
    ).map((name) => parseCheckedAmount(example[name])) as [Nano, Nano, Nano, Nano];
    expect(formatAmount(sumMonthCharges({ opening, payments, corrections, closing }))).toBe(example.charges);
    const sum = new Exact(example.opening)
      .plus(example.payments)
      .minus(example.charges)
      .plus(example.corrections);
    expect(sum.eq(example.closing)).toBe(true);
  });
});
