import { isMediaFamily } from "@/lib/contract/model-families";
import type { CatalogueModel } from "./catalogue";

/** Whether programs can call a model: it has a price, and its family is chat, embeddings or media. */
export function isCallable(model: CatalogueModel): boolean {
  if (isMediaFamily(model.family)) return model.unitPrice !== null;
  return (model.family === "chat" || model.family === "embedding") && model.price !== null;
}
