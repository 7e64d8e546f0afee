import { Refusal } from "../ports/refusal";
import type { Catalogue, CatalogueModel } from "./catalogue";
import { isCallable } from "./is-callable";

/** @throws Refusal 404 when there is no such model. */
export function findModel(catalogue: Catalogue, id: string): CatalogueModel {
  const model = catalogue.find(id);
  if (!model) throw noSuchModel(id);
  return model;
}

/** @throws Refusal 404 when there is no such model, or none that answers calls. */
export function findCallableModel(catalogue: Pick<Catalogue, "find">, id: string): CatalogueModel {
  const model = catalogue.find(id);
  if (!model || !isCallable(model)) throw noSuchModel(id);
  return model;
}

function noSuchModel(id: string): Refusal {
  const message = `There is no model "${id}". Those that can be called are listed at /v1/models.`;
  return new Refusal(404, "not_found_error", "model_not_found", message, { param: "model_id" });
}
