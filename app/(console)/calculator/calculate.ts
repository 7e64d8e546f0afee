import { parseDecimal } from "@/components/form/parse-decimal";
import { parseQuantity } from "@/components/form/parse-quantity";
import { amountOf, NANO_PER_UNIT, type Nano, ZERO } from "@/lib/money/amount";
import {
  affordableOutputTokens,
  chargeFor,
  listPriceOf,
  type PriceSnapshot,
  type TokenUsage,
} from "@/lib/money/charge";
import { callsCovered } from "@/lib/money/plan";
import { paymentForWorth, worthOfPayment } from "@/lib/money/worth";

/** A number as typed: what it means, or why it means none. Both are null while nothing is typed. */
export interface Reading<Value> {
  readonly value: Value | null;
  readonly fault: string | null;
}

const CHARGE_SCALE = 1_000_000n * NANO_PER_UNIT;

const nothing = { value: null, fault: null };

/** Reads an amount of money as people type it; one that is paid, with its currency. */
export function readAmount(text: string, currency?: string): Reading<Nano> {
  if (text.trim() === "") return nothing;
  const parsed = parseDecimal(text, { currency });
  return parsed.ok ? { value: amountOf(parsed.value), fault: null } : { value: null, fault: parsed.message };
}

/** Reads a model rate. A rate of 0 would make every payment worth anything: it has no answer. */
export function readRate(text: string): Reading<Nano> {
  const read = readAmount(text);
  if (read.value === ZERO)
    return { value: null, fault: "must be greater than 0: nothing can be divided by it" };
  return read;
}

/** Reads a count of tokens or calls: `1,000`, `1k`, `2.5m`. */
export function readCount(text: string): Reading<number> {
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

/** What is asked: what a payment is worth, or what a worth costs. */
export type Question = { readonly payment: Nano } | { readonly worth: Nano };

/** What a payment comes to with one model. */
export interface Purchase {
  readonly payment: Computed;
  readonly worth: Computed;
  /** One kind of token or the other; Infinity where they are free. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Calls of one size; Infinity where a call is free. */
  readonly calls: number;
  readonly callCost: CallCost;
}

/** Answers the question for one model. */
export function purchaseOf(question: Question, price: PriceSnapshot, call: TokenUsage): Purchase {
  const exact = (amount: Nano): Computed => ({ amount, isRounded: false });
  const payment = "payment" in question ? exact(question.payment) : paymentOf(question.worth, price.rate);
  const worth = "worth" in question ? exact(question.worth) : worthAt(question.payment, price.rate);
  return {
    payment,
    worth,
    inputTokens: affordableOutputTokens(0, { ...price, outputPer1m: price.inputPer1m }, payment.amount),
    outputTokens: affordableOutputTokens(0, price, payment.amount),
    calls: callsCovered(payment.amount, call, price),
    callCost: costOfCall(call, price),
  };
}

const paymentOf = (worth: Nano, rate: Nano) => paymentFor(worth, rate) as Computed;
const worthAt = (payment: Nano, rate: Nano) => worthOf(payment, rate) as Computed;

/** What one call costs: at list prices, and charged. A charge is rounded once; the list price is only shown. */
export interface CallCost {
  readonly listPrice: Computed;
  readonly charge: Computed;
}

export function costOfCall(usage: TokenUsage, price: PriceSnapshot): CallCost {
  const scaled =
    BigInt(usage.promptTokens) * price.inputPer1m + BigInt(usage.completionTokens) * price.outputPer1m;
  return {
    listPrice: { amount: listPriceOf(usage, price), isRounded: scaled % 1_000_000n !== 0n },
    charge: { amount: chargeFor(usage, price), isRounded: (scaled * price.rate) % CHARGE_SCALE !== 0n },
  };
}
