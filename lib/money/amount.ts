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
