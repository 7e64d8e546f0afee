import { describe, expect, test } from "bun:test";
import { Decimal } from "decimal.js";
import fc from "fast-check";
import { amountOf, formatAmount, type Nano, parseAmount, toNano } from "./amount";
import { affordableOutputTokens, affordableUnits, chargeFor, listPriceOf } from "./charge";
import { callsCovered, costOfDay, daysCovered, paymentToLast, ratioOf } from "./plan";
import { chargesOfMonth } from "./statement";
import { chargeExamples, statementExamples, unitExamples, worthExamples } from "./worked-examples";
import { paymentForWorth, worthOfPayment } from "./worth";

// An unrelated library, with more digits than any product here has.
const Exact = Decimal.clone({ precision: 120, rounding: Decimal.ROUND_HALF_UP });
const RUNS = { numRuns: 2_000 };

const decimalOf = (amount: Nano) => new Exact(amount.toString()).div(1e9);
const rounded = (value: Decimal) => value.toDecimalPlaces(9).times(1e9).toFixed(0);
const amounts = fc.bigInt({ min: 0n, max: 9n * 10n ** 18n }).map(toNano);
const positive = fc.bigInt({ min: 1n, max: 9n * 10n ** 18n }).map(toNano);
const small = fc.bigInt({ min: 1n, max: 10n ** 12n }).map(toNano);
const tokens = fc.integer({ min: 0, max: 10_000_000 });
const prices = fc.record({ inputPer1m: amounts, outputPer1m: amounts, rate: positive });
const usages = fc.record({ promptTokens: tokens, completionTokens: tokens });

describe("an independent library comes to the same", () => {
  test("a charge", () => {
    fc.assert(
      fc.property(usages, prices, (usage, price) => {
        const listed = decimalOf(price.inputPer1m)
          .times(usage.promptTokens)
          .plus(decimalOf(price.outputPer1m).times(usage.completionTokens))
          .div(1e6);
        expect(listPriceOf(usage, price).toString()).toBe(rounded(listed));
        expect(chargeFor(usage, price).toString()).toBe(rounded(listed.times(decimalOf(price.rate))));
      }),
      RUNS,
    );
  });

  test("a charge by the unit", () => {
    fc.assert(
      fc.property(fc.nat(Number.MAX_SAFE_INTEGER), amounts, positive, (units, amount, rate) => {
        const none = { inputPer1m: toNano(0n), outputPer1m: toNano(0n) };
        const price = { ...none, rate, perUnit: { unit: "second", amount } };
        const listed = decimalOf(amount).times(units).div(1e6);
        const usage = { promptTokens: 0, completionTokens: 0, units };
        expect(chargeFor(usage, price).toString()).toBe(rounded(listed.times(decimalOf(rate))));
      }),
      RUNS,
    );
  });

  test("a charge at exactly one half of the last decimal, and the smallest step beside it", () => {
    const halves = fc.bigInt({ min: 0n, max: 8n * 10n ** 15n }).map((whole) => 2n * whole + 1n);
    fc.assert(
      fc.property(halves, fc.constantFrom(-1, 0, 1), (odd, step) => {
        const none = { inputPer1m: toNano(0n), outputPer1m: toNano(0n), rate: toNano(1n) };
        // odd × 500 nano-units × 1,000,000 units × a rate of 10^-9 is odd ÷ 2 nano-units.
        const price = { ...none, perUnit: { unit: "second", amount: toNano(odd * 500n) } };
        const usage = { promptTokens: 0, completionTokens: 0, units: 1_000_000_000_000 + step };
        const exact = new Exact((odd * 500n).toString()).times(usage.units).div(1e15).div(1e9);
        expect(chargeFor(usage, price).toString()).toBe(rounded(exact));
      }),
      RUNS,
    );
  });

  test("the charges of a month, and amounts of both signs", () => {
    const signed = fc.bigInt({ min: -9n * 10n ** 18n, max: 9n * 10n ** 18n }).map(toNano);
    fc.assert(
      fc.property(signed, amounts, amounts, signed, (opening, payments, charges, corrections) => {
        const closing = decimalOf(opening)
          .plus(decimalOf(payments))
          .minus(decimalOf(charges))
          .plus(decimalOf(corrections));
        const sums = { opening, payments, corrections, closing: toNano(BigInt(rounded(closing))) };
        expect(chargesOfMonth(sums)).toBe(charges);
        expect(new Exact(formatAmount(corrections)).eq(decimalOf(corrections))).toBe(true);
      }),
      RUNS,
    );
  });

  test("a worth, and its payment", () => {
    fc.assert(
      fc.property(amounts, positive, (amount, rate) => {
        expect(worthOfPayment(amount, rate).toString()).toBe(rounded(decimalOf(amount).div(decimalOf(rate))));
        expect(paymentForWorth(amount, rate).toString()).toBe(
          rounded(decimalOf(amount).times(decimalOf(rate))),
        );
      }),
      RUNS,
    );
  });

  test("amounts as they are read and written", () => {
    fc.assert(
      fc.property(amounts, (amount) => {
        const text = formatAmount(amount);
        expect(new Exact(text).eq(decimalOf(amount))).toBe(true);
        expect(parseAmount(decimalOf(amount).toFixed())).toBe(amount);
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
          const charge = decimalOf(chargeFor(usage, price));
          const calls = charge.isZero()
            ? Number.POSITIVE_INFINITY
            : decimalOf(available).div(charge).floor().toNumber();
          expect(callsCovered(available, usage, price)).toBe(
            Math.min(calls, calls === Number.POSITIVE_INFINITY ? calls : Number.MAX_SAFE_INTEGER),
          );
          const most = affordableOutputTokens(0, price, available);
          const costs = (completionTokens: number) =>
            decimalOf(chargeFor({ promptTokens: 0, completionTokens }, price));
          if (most < Number.MAX_SAFE_INTEGER) {
            expect(costs(most).lte(decimalOf(available)) && costs(most + 1).gt(decimalOf(available))).toBe(
              true,
            );
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
        const most = affordableUnits(price, available);
        const costs = (units: number) =>
          Number.isSafeInteger(units * 1e6)
            ? decimalOf(chargeFor({ promptTokens: 0, completionTokens: 0, units: units * 1_000_000 }, price))
            : null;
        const [last, next] = [costs(most), costs(most + 1)];
        if (!last || !next) return;
        expect([last.lte(decimalOf(available)), next.gt(decimalOf(available))]).toEqual([true, true]);
      }),
      RUNS,
    );
  });

  test("days, and what makes a balance last", () => {
    fc.assert(
      fc.property(small, positive, fc.integer({ min: 0, max: 36_525 }), (cost, available, days) => {
        const exact = decimalOf(available).div(decimalOf(cost)).times(1_000).floor().div(1_000);
        if (exact.lt(1e12)) expect(daysCovered(available, cost)).toBe(exact.toNumber());
        const missing = Exact.max(0, decimalOf(cost).times(days).minus(decimalOf(available)));
        expect(decimalOf(paymentToLast(days, cost, available)).eq(missing)).toBe(true);
        expect(ratioOf(available, cost)).toBe(
          formatAmount(
            toNano(
              BigInt(decimalOf(available).div(decimalOf(cost)).toDecimalPlaces(2).times(1e9).toFixed(0)),
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
        const sum = decimalOf(chargeFor(usage, price)).times(calls);
        expect(decimalOf(costOfDay({ calls, usage, price })).eq(sum)).toBe(true);
      }),
    );
  });
});

describe("worked examples", () => {
  test.each(worthExamples.map((example) => [example.shows, example] as const))("%s", (_, example) => {
    const { payment, rate, worth } = example;
    expect(formatAmount(worthOfPayment(amountOf(payment), amountOf(rate)))).toBe(worth);
  });

  test.each(chargeExamples.map((example) => [example.shows, example] as const))("%s", (_, example) => {
    const { promptTokens, completionTokens, inputPer1m, outputPer1m, rate, charge } = example;
    const price = {
      inputPer1m: amountOf(inputPer1m),
      outputPer1m: amountOf(outputPer1m),
      rate: amountOf(rate),
    };
    expect(formatAmount(chargeFor({ promptTokens, completionTokens }, price))).toBe(charge);
  });

  test.each(unitExamples.map((example) => [example.shows, example] as const))("%s", (_, example) => {
    const { units, unit, amount, rate, charge } = example;
    const none = { inputPer1m: toNano(0n), outputPer1m: toNano(0n) };
    const price = { ...none, rate: amountOf(rate), perUnit: { unit, amount: amountOf(amount) } };
    const usage = { promptTokens: 0, completionTokens: 0, units: new Exact(units).times(1e6).toNumber() };
    expect(formatAmount(chargeFor(usage, price))).toBe(charge);
  });

  test.each(statementExamples.map((example) => [example.shows, example] as const))("%s", (_, example) => {
    const [opening, payments, corrections, closing] = (
      ["opening", "payments", "corrections", "closing"] as const
    ).map((name) => amountOf(example[name])) as [Nano, Nano, Nano, Nano];
    expect(formatAmount(chargesOfMonth({ opening, payments, corrections, closing }))).toBe(example.charges);
    const sum = new Exact(example.opening)
      .plus(example.payments)
      .minus(example.charges)
      .plus(example.corrections);
    expect(sum.eq(example.closing)).toBe(true);
  });
});
