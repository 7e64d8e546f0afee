import { formatAmount, type Nano } from "@/lib/money/amount";

// ES2026 has it, but the compiler's libraries lack it.
const { rawJSON } = JSON as unknown as { rawJSON(text: string): number };

/** An amount that `JSON.stringify` writes as a number with all digits. Don't calculate with it. */
export function toExactNumber(amount: Nano): number {
  return rawJSON(formatAmount(amount));
}
