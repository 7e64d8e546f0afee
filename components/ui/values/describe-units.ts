import { groupDigits } from "./group-digits";

/**
 * Returns `2 images`, `1 image` or `0.5 minutes`.
 * @param quantity a decimal string.
 */
export function describeUnits(quantity: string, unit: string): string {
  const count = quantity.includes(".") ? quantity.replace(/\.?0+$/, "") : quantity;
  return `${groupDigits(count)} ${unit}${count === "1" ? "" : "s"}`;
}
