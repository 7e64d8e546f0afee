import { parseDecimal, parseQuantity } from "@/components/ui/number-fields/parse-number";
import { formatCount } from "@/components/ui/values/group-digits";
import {
  computePaymentForWorth,
  computeWorth,
  MAX_UNITS,
  type Nano,
  parseCheckedAmount,
  type RoundedAmount,
  ZERO,
} from "@/lib/money/amount";
import {
  type CallCost,
  computeCallCost,
  countAffordableOutputTokens,
  countAffordableUnits,
  NANO_PER_PART,
  PARTS_PER_UNIT,
  type PriceSnapshot,
  type TokenUsage,
} from "@/lib/money/charge";
import { computeCallsCovered } from "@/lib/money/daily-cost";

/** A typed number: its value, or the reason why it is invalid. Both are null for empty text. */
export interface TypedValue<Value> {
  readonly value: Value | null;
  readonly fault: string | null;
}

const nothing = { value: null, fault: null };

/** Parses a typed amount. Pass the currency of payment amounts. */
export function parseTypedAmount(text: string, currency?: string): TypedValue<Nano> {
  if (text.trim() === "") return nothing;
  const parsed = parseDecimal(text, { currency });
  return parsed.ok
    ? { value: parseCheckedAmount(parsed.value), fault: null }
    : { value: null, fault: parsed.message };
}

/** Parses a model rate. Refuses 0, at which any payment would be worth an infinite amount. */
export function parseTypedRate(text: string): TypedValue<Nano> {
  const parsed = parseTypedAmount(text);
  if (parsed.value === ZERO)
    return { value: null, fault: "must be greater than 0: nothing can be divided by it" };
  return parsed;
}

/** Parses a count of tokens or calls: `1,000`, `1k`, `2.5m`. */
export function parseTypedCount(text: string): TypedValue<number> {
  if (text.trim() === "") return nothing;
  const parsed = parseQuantity(text);
  return parsed.ok ? { value: parsed.value, fault: null } : { value: null, fault: parsed.message };
}

/** Units that can't be divided. */
const WHOLE_UNITS: readonly string[] = ["image", "character"];

/** Parses a number of units, such as images or minutes. Returns millionths of the unit. */
export function parseTypedUnits(text: string, unit: string): TypedValue<number> {
  if (text.trim() === "") return nothing;
  if (WHOLE_UNITS.includes(unit)) {
    const parsed = parseQuantity(text);
    if (!parsed.ok) return { value: null, fault: parsed.message };
    if (parsed.value <= MAX_UNITS) return { value: parsed.value * PARTS_PER_UNIT, fault: null };
    return { value: null, fault: `Enter at most ${formatCount(MAX_UNITS)}.` };
  }
  // Without a currency's name, signs of money are refused.
  const parsed = parseDecimal(text, { places: 6, currency: "" });
  if (!parsed.ok) return { value: null, fault: parsed.message };
  return { value: Number(parseCheckedAmount(parsed.value) / NANO_PER_PART), fault: null };
}

/** The input of the calculation: a payment whose worth is wanted, or a worth whose payment is wanted. */
export type Question = { readonly payment: Nano } | { readonly worth: Nano };

/** What a payment buys with one model. */
export interface Purchase {
  readonly payment: RoundedAmount;
  readonly worth: RoundedAmount;
  /**
   * Tokens if all are input; `outputTokens` if all are output. Infinity if they are free; null for a price by the unit.
   */
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  /** Whole units; Infinity if they are free, null for a price by tokens. */
  readonly units: number | null;
  /** Number of calls of one size; Infinity if a call is free. */
  readonly calls: number;
  readonly callCost: CallCost;
}

/** Computes the purchase for one model. A call is charged by its tokens or by its units, as the price says. */
export function computePurchase(question: Question, price: PriceSnapshot, call: TokenUsage): Purchase {
  const exact = (amount: Nano): RoundedAmount => ({ amount, isRounded: false });
  const payment =
    "payment" in question ? exact(question.payment) : computePaymentForWorth(question.worth, price.rate);
  const worth = "worth" in question ? exact(question.worth) : computeWorth(question.payment, price.rate);
  return {
    payment,
    worth,
    inputTokens: price.perUnit
      ? null
      : countAffordableOutputTokens(0, { ...price, outputPer1m: price.inputPer1m }, payment.amount),
    outputTokens: price.perUnit ? null : countAffordableOutputTokens(0, price, payment.amount),
    units: price.perUnit ? countAffordableUnits(price, payment.amount) : null,
    calls: computeCallsCovered(payment.amount, call, price),
    callCost: computeCallCost(call, price),
  };
}
