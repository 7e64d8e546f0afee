import { findSeparator } from "../organization-look";

/** `1234567.5` → `1,234,567.5`, or as the organization groups digits. A decimal string, so that no digit is lost. */
export function groupDigits(decimal: string): string {
  const [wholePart = "", fraction] = decimal.split(".");
  const groupedWhole = wholePart.replace(/\B(?=(\d{3})+$)/g, findSeparator());
  return fraction === undefined ? groupedWhole : `${groupedWhole}.${fraction}`;
}

/** `1234.5` → `1,234.50`: the exact decimal, with at least two places. */
export function formatDecimal(decimal: string): string {
  return groupDigits(trimDecimal(decimal));
}

/** `1234567` → `1,234,567`. */
export function formatCount(count: number | bigint): string {
  return groupDigits(String(count));
}

/** `1 call`, `1,200 calls`. `plural` for a noun that takes no s. */
export function countNouns(value: number, noun: string, plural = `${noun}s`): string {
  return `${formatCount(value)} ${value === 1 ? noun : plural}`;
}

/** The number of places that `trimDecimal` leaves. */
export function countPlaces(decimal: string): number {
  return trimDecimal(decimal).split(".")[1]?.length ?? 0;
}

/**
 * Returns the exact decimal with at least two places and no further trailing zeros: `0.5` → `0.50`, `0.000120` →
 * `0.00012`.
 */
export function trimDecimal(decimal: string): string {
  const [wholePart = "0", fraction = ""] = decimal.split(".");
  return `${wholePart}.${fraction.replace(/0+$/, "").padEnd(2, "0")}`;
}
