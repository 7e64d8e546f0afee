import type { LedgerEntry } from "@/lib/contract/operations/money/balance";
import { formatAmount, parseAmount, parseCheckedAmount, toNano } from "@/lib/money/amount";

/**
 * Returns the uncorrected amount of a payment or a charge as a decimal string; null for entries that can't be
 * corrected.
 */
export function computeRemainder({ kind, amount, corrected }: LedgerEntry): string | null {
  if ((kind !== "payment" && kind !== "charge") || corrected === null || corrected === undefined) return null;
  return formatAmount(toNano(parseCheckedAmount(amount) - parseCheckedAmount(corrected)));
}

interface CorrectionEffect {
  /** The uncorrected amount of the entry afterwards. */
  readonly left: string;
  /** The change of the balance: negative for a payment. */
  readonly change: string;
  /** The available balance afterwards. */
  readonly after: string | null;
}

/** Returns null if the typed text isn't an amount, or exceeds the entry's uncorrected amount. */
export function computeCorrectionEffect(
  entry: LedgerEntry,
  typed: string,
  available: string | undefined,
): CorrectionEffect | null {
  const amount = parseAmount(typed);
  const remainder = computeRemainder(entry);
  if (amount === null || remainder === null || amount <= 0n || amount > parseCheckedAmount(remainder))
    return null;
  const change = entry.kind === "payment" ? -amount : amount;
  return {
    left: formatAmount(toNano(parseCheckedAmount(remainder) - amount)),
    change: formatAmount(toNano(change)),
    after: available === undefined ? null : formatAmount(toNano(parseCheckedAmount(available) + change)),
  };
}
