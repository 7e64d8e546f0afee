import type { UnitPrice } from "@/lib/contract/operations/models/models";

/** Returns the prices of a unit price's other qualities, such as "hd 0.08 USD"; empty if there are none. */
export function describeQualities(price: UnitPrice | null, currency: string): string {
  const priced = Object.entries(price?.qualities ?? {});
  return priced.map(([quality, amount]) => `${quality} ${amount} ${currency}`).join(", ");
}
