import { formatAmount, NANO_PER_CENT, type Nano, toNano } from "./amount";

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
