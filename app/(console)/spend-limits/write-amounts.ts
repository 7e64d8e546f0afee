import type { Conflict } from "@/components/ui/form/find-conflicts";
import { groupDigits, trimDecimal } from "@/components/ui/values/group-digits";

/** Writes the thresholds of conflicts as money, for people to compare: `1234567` → `1,234,567.00 USD`. */
export function writeAmounts(conflicts: readonly Conflict[], currency: string): Conflict[] {
  const write = (amount: unknown) =>
    typeof amount === "string" && amount !== "" ? `${groupDigits(trimDecimal(amount))} ${currency}` : amount;
  return conflicts.map((conflict) =>
    conflict.name === "threshold_amount"
      ? {
          ...conflict,
          was: write(conflict.was),
          current: write(conflict.current),
          edited: write(conflict.edited),
        }
      : conflict,
  );
}
