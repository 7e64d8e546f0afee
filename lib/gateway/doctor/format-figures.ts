import { formatAmount, toNano } from "@/lib/money/amount";

/** Returns `1 entry` or `1200 entries`. The plural ends in `s` unless it is given. */
export function formatCount(count: number | bigint, singular: string, plural = `${singular}s`): string {
  return `${count} ${Number(count) === 1 ? singular : plural}`;
}

/** Writes nano-units, as stored, as a decimal string with at least two decimals. */
export const formatNano = (amount: bigint) => formatAmount(toNano(amount));
