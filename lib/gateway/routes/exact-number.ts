import { formatAmount, type Nano } from "@/lib/money/amount";

// ES2026; the compiler's libraries don't know it yet.
const { rawJSON } = JSON as unknown as { rawJSON(text: string): number };

/** An amount that is written into a reply as a JSON number with all its digits; it is good for nothing else. */
export function exactNumber(amount: Nano): number {
  return rawJSON(formatAmount(amount));
}
