import type { CatalogueModel } from "./catalogue";

/** Whether programs can call a model: it has a price. */
export function isCallable(model: CatalogueModel): boolean {
  return model.price !== null || model.unitPrice !== null;
}
