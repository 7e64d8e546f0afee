import { isUnitFamily } from "@/lib/contract/model-families";
import { type ModelChange, priceFaultOf } from "@/lib/contract/operations/models";
import { formatAmount } from "@/lib/money/amount";
import { invalid } from "../refusal";
import type { CatalogueModel } from "./catalogue";
import { writePrice, writeUnitPrice } from "./model-entry";
import type { StoredPrice } from "./model-store";

/**
 * A model's rate and prices after a partial change.
 * @throws Refusal 400 for a price of a kind that its family doesn't have, and for a rate where the model has no price.
 */
export function changedPrices(
  { id, family, ...model }: CatalogueModel,
  draft: ModelChange,
): Pick<StoredPrice, "rate" | "batchRate" | "price" | "unitPrice" | "audioPrice"> {
  const fault = priceFaultOf({ ...draft, family });
  if (fault) throw invalid(fault.field, `${fault.field} ${fault.message}.`);
  const price = draft.price ?? (model.price && writePrice(model.price));
  const unitPrice = draft.unit_price ?? (model.unitPrice && writeUnitPrice(model.unitPrice));
  if (!price && !unitPrice) {
    const field = isUnitFamily(family) ? "unit_price" : "price";
    throw invalid(field, `"${id}" has no price yet; send ${field} with the rate.`, "missing_field");
  }
  const batchRate =
    draft.batch_rate === undefined ? model.batchRate && formatAmount(model.batchRate) : draft.batch_rate;
  const audioPrice =
    draft.audio_price === undefined ? model.audioPrice && writePrice(model.audioPrice) : draft.audio_price;
  return { rate: draft.rate ?? formatAmount(model.rate), batchRate, price, unitPrice, audioPrice };
}
