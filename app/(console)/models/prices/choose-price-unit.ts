import {
  isUnitFamily,
  type PriceUnit,
  priceUnits,
  type UnitFamily,
} from "@/lib/contract/calls/model-families";
import type { OrganizationModel, UnitPrice } from "@/lib/contract/operations/models/models";

/** The unit that a model's price is for: that of its price or, before it has one, the first of its family. */
export function choosePriceUnit(family: UnitFamily, price: Pick<UnitPrice, "unit"> | null): PriceUnit {
  return price?.unit ?? priceUnits[family][0];
}

/** A model that is priced by the unit. */
export type UnitModel = OrganizationModel & { family: UnitFamily };

/** Whether a model is priced by the unit, or will be once it has a price. */
export function isPricedByUnit(model: OrganizationModel): model is UnitModel {
  return isUnitFamily(model.family) && model.price === null;
}
