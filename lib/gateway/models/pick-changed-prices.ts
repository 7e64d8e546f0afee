import { findPriceFault } from "@/lib/contract/calls/find-price-fault";
import { isUnitFamily } from "@/lib/contract/calls/model-families";
import type { ModelChange } from "@/lib/contract/operations/models/models";
import { formatAmount } from "@/lib/money/amount";
import { invalid } from "../refusal";
import type { CatalogueModel } from "./catalogue";
import { completePrice, writePrice, writeUnitPrice } from "./model-entry";
import type { StoredPrice } from "./model-store";

/** The fault in a change of this model's prices, with its field and correction; null for none. */
export function findChangeFault(
  { id, family, price, unitPrice }: Pick<CatalogueModel, "id" | "family" | "price" | "unitPrice">,
  draft: ModelChange,
): ReturnType<typeof findPriceFault> {
  const fault = findPriceFault({ ...draft, family });
  if (fault || !draft.audio_price || draft.price || price || !unitPrice) return fault;
  const message = `has no effect: "${id}" is priced by the ${unitPrice.unit}. To price it by tokens, send price too`;
  return { field: "audio_price", message };
}

/**
 * A model's rate and prices after a partial change. A price by tokens replaces one by the unit, and the reverse.
 * @throws Refusal 400 for a price of a kind that its family doesn't have, and for a rate if the model has no price.
 */
export function pickChangedPrices(
  model: CatalogueModel,
  draft: ModelChange,
): Pick<StoredPrice, "rate" | "batchRate" | "price" | "unitPrice" | "audioPrice"> {
  const { id, family } = model;
  const fault = findChangeFault(model, draft);
  if (fault) throw invalid(fault.field, `${fault.field} ${fault.message}.`, fault.code);
  const price = draft.unit_price
    ? null
    : draft.price
      ? completePrice(draft.price)
      : model.price && writePrice(model.price);
  const unitPrice = draft.price
    ? null
    : (draft.unit_price ?? (model.unitPrice && writeUnitPrice(model.unitPrice)));
  if (!price && !unitPrice) {
    const field = isUnitFamily(family) ? "unit_price" : "price";
    throw invalid(field, `"${id}" has no price yet; send ${field} with the rate.`, "missing_field");
  }
  const batchRate =
    draft.batch_rate === undefined ? model.batchRate && formatAmount(model.batchRate) : draft.batch_rate;
  const audio =
    draft.audio_price === undefined ? model.audioPrice && writePrice(model.audioPrice) : draft.audio_price;
  const audioPrice = price && audio;
  return { rate: draft.rate ?? formatAmount(model.rate), batchRate, price, unitPrice, audioPrice };
}
