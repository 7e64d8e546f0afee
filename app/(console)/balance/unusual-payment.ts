import { parseAmount } from "@/lib/money/amount";

/** A payment of this many times the usual one is asked about. */
const FAR_ABOVE = 5n;
/** Fewer payments don't tell what is usual. */
const FEWEST = 3;

/**
 * Returns the usual payment, the median of the past ones, if an amount is larger than all of them and far above it;
 * null otherwise. A slip of the decimal point is ten times as much.
 */
export function findUsualPayment(amount: string, pastAmounts: readonly string[]): string | null {
  const typed = parseAmount(amount);
  const past = pastAmounts
    .flatMap((text) => {
      const nano = parseAmount(text);
      return nano === null ? [] : [{ text, nano }];
    })
    .toSorted((one, other) => (one.nano < other.nano ? -1 : 1));
  const usual = past[Math.floor((past.length - 1) / 2)];
  const largest = past.at(-1);
  if (typed === null || !usual || !largest || past.length < FEWEST) return null;
  return typed > largest.nano && typed >= usual.nano * FAR_ABOVE ? usual.text : null;
}
