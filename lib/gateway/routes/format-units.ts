import { formatAmount, toNano } from "@/lib/money/amount";

/** @param millionths of a unit. @returns the units as a decimal string. */
export function formatUnits(millionths: number | bigint): string {
  return formatAmount(toNano(BigInt(millionths) * 1_000n));
}
