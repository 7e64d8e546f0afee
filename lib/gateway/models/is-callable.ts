import { isUnitFamily } from "@/lib/contract/model-families";
import type { CatalogueModel } from "./catalogue";

/** Whether programs can call a model: it has a price. */
export function isCallable(model: CatalogueModel): boolean {
  return (isUnitFamily(model.family) ? model.unitPrice : model.price) !== null;
}
