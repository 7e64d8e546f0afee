import { formatAmount, type Nano } from "@/lib/money/amount";

// From ES2026; the compiler's libraries lack it.
const { rawJSON } = JSON as unknown as { rawJSON(text: string): number };

/** An amount that `JSON.stringify` writes as a number with all digits. Don't calculate with it. */
export function toExactNumber(amount: Nano): number {
  return rawJSON(formatAmount(amount));
}
