import { isMediaFamily, isTokenFamily } from "@/lib/contract/model-families";
import type { CatalogueModel } from "./catalogue";

/** Whether programs can call a model: it has a price, and an endpoint answers for its family. */
export function isCallable(model: CatalogueModel): boolean {
  if (isMediaFamily(model.family)) return model.unitPrice !== null;
  return isTokenFamily(model.family) && model.price !== null;
}
