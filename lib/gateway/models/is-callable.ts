import { isMediaFamily } from "@/lib/contract/model-families";
import type { CatalogueModel } from "./catalogue";

/** Whether programs can call a model: one of chat, embeddings or media with a price. */
export function isCallable(model: CatalogueModel): boolean {
  if (isMediaFamily(model.family)) return model.unitPrice !== null;
  return (model.family === "chat" || model.family === "embedding") && model.price !== null;
}
