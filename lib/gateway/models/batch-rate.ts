import type { CatalogueModel } from "./catalogue";

/** The catalogue replaces a model's object whenever its price or rate changes. */
const rated = new WeakMap<CatalogueModel, CatalogueModel>();

/** The model as batch lines are charged for it: at its batch rate, if it has one. */
export function atBatchRate(model: CatalogueModel): CatalogueModel {
  if (model.batchRate === null) return model;
  const cached = rated.get(model);
  if (cached) return cached;
  const batched = { ...model, rate: model.batchRate };
  rated.set(model, batched);
  return batched;
}
