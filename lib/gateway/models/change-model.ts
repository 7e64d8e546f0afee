import type { ModelChange, ModelPrice } from "@/lib/contract/operations/models";
import { amountOf, formatAmount } from "@/lib/money/amount";
import { invalid } from "../ports/refusal";
import type { CatalogueModel } from "./catalogue";
import { findModel } from "./find-model";
import type { ModelContext } from "./model-context";
import { toPrice } from "./model-entry";

/**
 * Changes a model's list price or model rate from the next call on: a call that was admitted keeps the price on its hold.
 * @throws Refusal 404 for an unknown model, 400 for a rate without a price there never was.
 */
export async function changeModel(
  { catalogue, models, inTurn, effects }: ModelContext,
  id: string,
  change: ModelChange,
): Promise<CatalogueModel> {
  return inTurn(async () => {
    const model = findModel(catalogue, id);
    const price = change.price ?? currentPrice(model);
    const rate = change.rate ?? formatAmount(model.rate);
    await models.savePrice({ model: id, rate, price, updatedAtMs: effects.clock.nowMs() });
    const changed = { ...model, rate: amountOf(rate), price: toPrice(price) };
    catalogue.put(changed);
    return changed;
  });
}

function currentPrice({ id, price }: CatalogueModel): ModelPrice {
  if (!price) throw invalid("price", `"${id}" has no price yet; send price with the rate.`, "missing_field");
  return { input_per_1m: formatAmount(price.inputPer1m), output_per_1m: formatAmount(price.outputPer1m) };
}
