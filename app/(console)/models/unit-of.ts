import { type PriceUnit, priceUnits, type UnitFamily } from "@/lib/contract/model-families";
import type { UnitPrice } from "@/lib/contract/operations/models";

/** The unit that a model's price is for: that of its price or, before it has one, the first of its family. */
export function unitOf(family: UnitFamily, price: Pick<UnitPrice, "unit"> | null): PriceUnit {
  return price?.unit ?? priceUnits[family][0];
}
