import { suggestName } from "@/lib/contract/nearest-name";
import { Refusal } from "../refusal";
import { type Catalogue, type CatalogueModel, isCallable } from "./catalogue";

/** @throws Refusal 404 when there is no such model. */
export function findModel(catalogue: Catalogue, id: string): CatalogueModel {
  const model = catalogue.find(id);
  if (!model) throw noSuchModel("model_id", id, catalogue.list());
  return model;
}

/** @throws Refusal 404 for an unknown model, or one that callers limited to these models may not call. */
export function findCallableModel(
  catalogue: Pick<Catalogue, "find" | "list">,
  id: string,
  isVisible: (model: CatalogueModel) => boolean,
): CatalogueModel {
  const model = catalogue.find(id);
  if (model && isCallable(model) && isVisible(model)) return model;
  throw noSuchModel("model_id", id, catalogue.list().filter(isCallable).filter(isVisible));
}

/** A 404 that suggests the most similar of the models that the caller may know of. */
export function noSuchModel(param: string, id: string, models: readonly CatalogueModel[]): Refusal {
  const names = models.map((model) => model.id);
  const message = `There is no model "${id.slice(0, 200)}".${suggestName(id, names)} Those that can be called are listed at /v1/models.`;
  return new Refusal(404, "not_found_error", "model_not_found", message, { param });
}
