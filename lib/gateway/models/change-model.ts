import { isMediaFamily } from "@/lib/contract/model-families";
import { type ModelChange, type ModelPrice, priceFaultOf } from "@/lib/contract/operations/models";
import { amountOf, formatAmount } from "@/lib/money/amount";
import { type ChangeRequest, change } from "../changes/change";
import { invalid } from "../refusal";
import type { CatalogueModel } from "./catalogue";
import { findModel } from "./find-model";
import type { ModelContext } from "./model-context";
import { toPrice, toUnitPrice, writeUnitPrice } from "./model-entry";

/**
 * Changes a model's list price or rate from the next call on. An admitted call keeps the price on its hold.
 * @throws Refusal 404 for an unknown model; 400 for a rate of a model without a price.
 */
export function changeModel(
  context: ModelContext,
  request: ChangeRequest,
  id: string,
  draft: ModelChange,
): Promise<CatalogueModel> {
  const { catalogue, models, effects } = context;
  return change(context, request, async (transaction) => {
    const model = findModel(catalogue, id);
    refuseOtherPrice(model, draft);
    const price = draft.price ?? (model.price && writePrice(model.price));
    const unitPrice = draft.unit_price ?? (model.unitPrice && writeUnitPrice(model.unitPrice));
    if (!price && !unitPrice) {
      const field = isMediaFamily(model.family) ? "unit_price" : "price";
      throw invalid(field, `"${id}" has no price yet; send ${field} with the rate.`, "missing_field");
    }
    const rate = draft.rate ?? formatAmount(model.rate);
    const pricedAtMs = effects.clock.nowMs();
    await models.savePrice(transaction, { model: id, rate, price, unitPrice, updatedAtMs: pricedAtMs });
    return {
      ...model,
      rate: amountOf(rate),
      price: price && toPrice(price),
      unitPrice: unitPrice && toUnitPrice(unitPrice),
      pricedAtMs,
    };
  });
}

/** @throws Refusal 400 for a price of a kind that the model's family doesn't have. */
function refuseOtherPrice({ family }: CatalogueModel, { price, unit_price }: ModelChange): void {
  const fault = priceFaultOf({ family, price, unit_price });
  if (fault) throw invalid(fault.field, `${fault.field} ${fault.message}.`);
}

function writePrice({ inputPer1m, outputPer1m }: NonNullable<CatalogueModel["price"]>): ModelPrice {
  return { input_per_1m: formatAmount(inputPer1m), output_per_1m: formatAmount(outputPer1m) };
}
