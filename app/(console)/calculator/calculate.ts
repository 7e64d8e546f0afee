import { parseDecimal } from "@/components/form/parse-decimal";
import { parseQuantity } from "@/components/form/parse-quantity";
import { amountOf, NANO_PER_UNIT, type Nano, ZERO } from "@/lib/money/amount";
import { affordableOutputTokens, chargeFor, listPriceOf, type PriceSnapshot } from "@/lib/money/charge";
import { paymentForWorth, worthOfPayment } from "@/lib/money/worth";

/** A number as typed: what it means, or why it means none. Both are null while nothing is typed. */
export interface Reading<Value> {
  readonly value: Value | null;
  readonly fault: string | null;
}

const CHARGE_SCALE = 1_000_000n * NANO_PER_UNIT;

const nothing = { value: null, fault: null };

/** Reads an amount of money as people type it. */
export function readAmount(text: string): Reading<Nano> {
  if (text.trim() === "") return nothing;
  const parsed = parseDecimal(text);
  return parsed.ok ? { value: amountOf(parsed.value), fault: null } : { value: null, fault: parsed.message };
}

/** Reads a model rate. A rate of 0 would make every payment worth anything: it has no answer. */
export function readRate(text: string): Reading<Nano> {
  const read = readAmount(text);
  if (read.value === ZERO)
    return { value: null, fault: "must be greater than 0: nothing can be divided by it" };
  return read;
}

/** Reads a number of tokens: `1,000`, `1k`, `2.5m`. */
export function readTokens(text: string): Reading<number> {
  if (text.trim() === "") return nothing;
  const parsed = parseQuantity(text);
  return parsed.ok ? { value: parsed.value, fault: null } : { value: null, fault: parsed.message };
}

/** A result, and whether it had to be rounded to nine decimals. */
export interface Computed {
  readonly amount: Nano;
  readonly isRounded: boolean;
}

/** Worth of a payment at list prices; null while either is missing. */
export function worthOf(payment: Nano | null, rate: Nano | null): Computed | null {
  if (payment === null || rate === null) return null;
  return { amount: worthOfPayment(payment, rate), isRounded: (payment * NANO_PER_UNIT) % rate !== 0n };
}

/** The payment for a worth at list prices. */
export function paymentFor(worth: Nano | null, rate: Nano | null): Computed | null {
  if (worth === null || rate === null) return null;
  return { amount: paymentForWorth(worth, rate), isRounded: (worth * rate) % NANO_PER_UNIT !== 0n };
}

/** How many tokens of one kind a payment buys; Infinity where they are free. */
export function tokensFor(payment: Nano, price: PriceSnapshot): { input: number; output: number } {
  return {
    input: affordableOutputTokens(0, { ...price, outputPer1m: price.inputPer1m }, payment),
    output: affordableOutputTokens(0, price, payment),
  };
}

/** What one call costs: at list prices, and charged. A charge is rounded once; the list price is only shown. */
export function costOfCall(promptTokens: number, completionTokens: number, price: PriceSnapshot) {
  const usage = { promptTokens, completionTokens };
  const scaled = BigInt(promptTokens) * price.inputPer1m + BigInt(completionTokens) * price.outputPer1m;
  return {
    listPrice: { amount: listPriceOf(usage, price), isRounded: scaled % 1_000_000n !== 0n },
    charge: { amount: chargeFor(usage, price), isRounded: (scaled * price.rate) % CHARGE_SCALE !== 0n },
  };
}
