import type { UnitPrice } from "@/lib/contract/operations/models/models";
import { formatAmount, parseCheckedAmount } from "@/lib/money/amount";

/** Returns text such as "0.04 per image, hd 0.08": the standard price, then those of other qualities. */
export function describeUnitPrice({ unit, amount, qualities = {} }: UnitPrice): string {
  const others = Object.entries(qualities).map(([quality, price]) => `, ${quality} ${tidyAmount(price)}`);
  return `${tidyAmount(amount)} per ${unit}${others.join("")}`;
}

/** Formats with at least two decimal places, like all amounts. */
export function tidyAmount(decimal: string): string {
  return formatAmount(parseCheckedAmount(decimal));
}
