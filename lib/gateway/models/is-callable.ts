import type { CatalogueModel } from "./catalogue";

/** Whether `POST /chat/completions` answers for a model: a chat model with a price. */
export function isCallable(model: CatalogueModel): boolean {
  return model.family === "chat" && model.price !== null;
}
