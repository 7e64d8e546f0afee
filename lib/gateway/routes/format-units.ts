import { formatAmount, type Nano, toNano } from "@/lib/money/amount";

/** @param millionths of a unit. @returns the units as a decimal string. */
export function formatUnits(millionths: number | bigint): string {
  return formatAmount(toNano(BigInt(millionths) * 1_000n));
}

// ES2026 has it, but the compiler's libraries lack it.
const { rawJSON } = JSON as unknown as { rawJSON(text: string): number };

/** An amount that `JSON.stringify` writes as a number with all digits. Don't calculate with it. */
export function toExactNumber(amount: Nano): number {
  return rawJSON(formatAmount(amount));
}
