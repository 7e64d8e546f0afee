declare const nano: unique symbol;

/** An amount of money in nano-units (10^-9 of the currency's unit). Exact; never a float. */
export type Nano = bigint & { readonly [nano]: true };

export const NANO_PER_UNIT = 1_000_000_000n;
const DECIMALS = 9;
/** The most an amount, a price or a rate may be, in whole units: it fits a 64-bit integer of nano-units. */
export const MAX_UNITS = 9_000_000_000n;
const LARGEST = MAX_UNITS * NANO_PER_UNIT;
const DECIMAL = /^(-?)(\d{1,10})(?:\.(\d{1,9}))?$/;

/** Brands an integer number of nano-units. */
export function toNano(value: bigint): Nano {
  return value as Nano;
}

/**
 * Reads nano-units as they are stored: an integer, as text where it may exceed 2^53.
 * @throws SyntaxError for other text.
 */
export function readNano(stored: string | number): Nano {
  return toNano(BigInt(stored));
}

export const ZERO = toNano(0n);

/** Nano-units of a hundredth of the currency unit. */
export const NANO_PER_CENT = 10_000_000n;

/**
 * Reads a decimal string ("25.00", "-0.5") with at most nine decimals.
 * @returns null for anything else, exponents, signs and spaces included, and beyond ±9,000,000,000 units,
 *   so that every amount fits a 64-bit integer.
 */
export function parseAmount(text: string): Nano | null {
  const match = DECIMAL.exec(text);
  if (!match) return null;
  const [, sign, units = "0", fraction = ""] = match;
  const magnitude = BigInt(units) * NANO_PER_UNIT + BigInt(fraction.padEnd(DECIMALS, "0"));
  if (magnitude > LARGEST) return null;
  return toNano(sign ? -magnitude : magnitude);
}

/**
 * Reads a decimal string that was checked before.
 * @throws RangeError for what `parseAmount` refuses.
 */
export function parseCheckedAmount(text: string): Nano {
  const amount = parseAmount(text);
  if (amount === null) throw new RangeError(`"${text}" is not an amount`);
  return amount;
}

/** The sum of amounts. */
export function sumAmounts(amounts: readonly Nano[]): Nano {
  return toNano(amounts.reduce<bigint>((sum, amount) => sum + amount, 0n));
}

/** Whether a decimal string is zero: "0", "0.00", "-0.0". */
export function isZeroDecimal(decimal: string): boolean {
  return !/[1-9]/.test(decimal);
}

/** The decimal string with the other sign: "5.00" → "-5.00". Zero stays as it is. */
export function negateDecimal(decimal: string): string {
  if (isZeroDecimal(decimal)) return decimal;
  return decimal.startsWith("-") ? decimal.slice(1) : `-${decimal}`;
}

/**
 * Writes an amount as a decimal string with at least two decimals and no further trailing zeros: "10.00", "0.000012".
 */
export function formatAmount(amount: Nano): string {
  const magnitude = amount < 0n ? -amount : amount;
  const units = magnitude / NANO_PER_UNIT;
  const fraction = (magnitude % NANO_PER_UNIT).toString().padStart(DECIMALS, "0").replace(/0+$/, "");
  return `${amount < 0n ? "-" : ""}${units}.${fraction.padEnd(2, "0")}`;
}

/** Converts cents to a decimal string: 2550 → "25.50". */
export function formatCents(cents: number): string {
  return formatAmount(toNano(BigInt(cents) * NANO_PER_CENT));
}

/**
 * Converts a decimal with at most two places to cents.
 * @throws RangeError if it isn't an amount.
 */
export function parseCents(decimal: string): number {
  return Number(parseCheckedAmount(decimal) / NANO_PER_CENT);
}

/** Returns the percentage of a limit that is spent, rounded down. 100 if the limit is zero. */
export function computePercentSpent(spent: string, most: string): number {
  const [part, whole] = [parseCheckedAmount(spent), parseCheckedAmount(most)];
  return whole === 0n ? 100 : Number((part * 100n) / whole);
}

/** An amount, and whether rounding to nine decimals changed it. */
export interface RoundedAmount {
  readonly amount: Nano;
  readonly isRounded: boolean;
}

/**
 * Divides to an amount in nano-units.
 * @throws RangeError when the divisor is not positive.
 */
export function divideToAmount(numerator: bigint, divisor: bigint): RoundedAmount {
  const amount = toNano(divideRounded(numerator, divisor));
  return { amount, isRounded: amount * divisor !== numerator };
}

/**
 * Integer division rounded half away from zero, the one rounding rule of the product: 5/2 → 3, -5/2 → -3.
 * @throws RangeError when the divisor is not positive.
 */
export function divideRounded(numerator: bigint, divisor: bigint): bigint {
  if (divisor <= 0n) throw new RangeError("The divisor must be greater than 0");
  const magnitude = numerator < 0n ? -numerator : numerator;
  const quotient = magnitude / divisor;
  const remainder = magnitude - quotient * divisor;
  const roundedQuotient = 2n * remainder >= divisor ? quotient + 1n : quotient;
  return numerator < 0n ? -roundedQuotient : roundedQuotient;
}

/** How many times as much one amount is as another, to hundredths: "1.25"; null if the other is 0. */
export function formatRatio(amount: Nano, other: Nano): string | null {
  if (other <= 0n) return null;
  return formatAmount(toNano(divideRounded(amount * 100n, other) * NANO_PER_CENT));
}

/**
 * What a payment buys at list prices: payment ÷ model rate (10.00 at 0.2 is 50.00).
 * @throws RangeError when the rate is not greater than 0.
 */
export function computeWorth(payment: Nano, rate: Nano): RoundedAmount {
  return divideToAmount(payment * NANO_PER_UNIT, rate);
}

/** The payment that buys a given worth at list prices: worth × model rate, the inverse of `computeWorth`. */
export function computePaymentForWorth(worth: Nano, rate: Nano): RoundedAmount {
  return divideToAmount(worth * rate, NANO_PER_UNIT);
}
