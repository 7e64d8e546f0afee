import type { ModelChange } from "@/lib/contract/operations/models/models";
import { parseCheckedAmount } from "@/lib/money/amount";
import { type ChangeRequest, change } from "../changes/change";
import type { CatalogueModel } from "./catalogue";
import { findModel } from "./find-model";
import type { ModelContext } from "./model-context";
import { toPrice, toRate, toUnitPrice } from "./model-entry";
import { pickChangedPrices } from "./pick-changed-prices";

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
    const prices = pickChangedPrices(model, draft);
    const pricedAtMs = effects.clock.nowMs();
    await models.savePrice(transaction, { model: id, ...prices, updatedAtMs: pricedAtMs });
    const { rate, batchRate, price, unitPrice, audioPrice } = prices;
    return {
      ...model,
      rate: parseCheckedAmount(rate),
      batchRate: toRate(batchRate),
      price: price && toPrice(price),
      unitPrice: unitPrice && toUnitPrice(unitPrice),
      audioPrice: audioPrice && toPrice(audioPrice),
      pricedAtMs,
    };
  });
}
