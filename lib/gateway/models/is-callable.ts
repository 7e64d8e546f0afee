import { isMediaFamily } from "@/lib/contract/model-families";
import type { CatalogueModel } from "./catalogue";

/** Whether `POST /chat/completions` answers for a model: a chat or media model with a price. */
export function isCallable(model: CatalogueModel): boolean {
  if (isMediaFamily(model.family)) return model.unitPrice !== null;
  return model.family === "chat" && model.price !== null;
}
