import { formatAmount, NANO_PER_CENT, parseCheckedAmount, toNano } from "./amount";

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
