import { formatAmount, toNano } from "@/lib/money/amount";

/** @param millionths of a unit, as a decimal string of units. */
export function formatUnits(millionths: number): string {
  return formatAmount(toNano(BigInt(millionths) * 1_000n));
}
