import type { ModelChange, ModelPrice } from "@/lib/contract/operations/models";
import { amountOf, formatAmount } from "@/lib/money/amount";
import { type ChangeRequest, change } from "../changes/change";
import { invalid } from "../refusal";
import type { CatalogueModel } from "./catalogue";
import { findModel } from "./find-model";
import type { ModelContext } from "./model-context";
import { toPrice } from "./model-entry";

/**
 * Changes a model's list price or model rate from the next call on: a call that was admitted keeps the price on its hold.
 * @throws Refusal 404 for an unknown model, 400 for a rate of a model that has no price.
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
    const price = draft.price ?? currentPrice(model);
    const rate = draft.rate ?? formatAmount(model.rate);
    await models.savePrice(transaction, { model: id, rate, price, updatedAtMs: effects.clock.nowMs() });
    return { ...model, rate: amountOf(rate), price: toPrice(price) };
  });
}

function currentPrice({ id, price }: CatalogueModel): ModelPrice {
  if (!price) throw invalid("price", `"${id}" has no price yet; send price with the rate.`, "missing_field");
  return { input_per_1m: formatAmount(price.inputPer1m), output_per_1m: formatAmount(price.outputPer1m) };
}
