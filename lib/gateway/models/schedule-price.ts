import { newId } from "@/lib/contract/ids";
import type { ModelChange } from "@/lib/contract/operations/models/models";
import type { ScheduledPriceDraft } from "@/lib/contract/operations/models/scheduled-prices";
import { type ChangeRequest, change } from "../changes/change";
import { conflict, invalid, notFound } from "../refusal";
import { findModel } from "./find-model";
import type { ModelContext } from "./model-context";
import { completePrice } from "./model-entry";
import { pickChangedPrices } from "./pick-changed-prices";
import type { ScheduledPriceMirror } from "./scheduled-price-mirror";
import type { ScheduledPrice, ScheduledPriceStore } from "./scheduled-price-store";

export interface ScheduledPriceContext extends ModelContext {
  readonly scheduledPrices: ScheduledPriceStore;
  readonly scheduledPriceMirror: ScheduledPriceMirror;
}

const MAX_PER_MODEL = 20;

/**
 * Schedules a change of a model's prices.
 * @throws Refusal 404 for an unknown model; 400 for a time that is not in the future or a price that the model can't
 * have; 409 if another change of the model has that time.
 */
export function schedulePrice(
  context: ScheduledPriceContext,
  request: ChangeRequest,
  modelId: string,
  { effective_at: effectiveAt, ...draft }: ScheduledPriceDraft,
): Promise<ScheduledPrice> {
  const { catalogue, scheduledPrices, scheduledPriceMirror, effects } = context;
  return change(context, request, async (transaction) => {
    pickChangedPrices(findModel(catalogue, modelId), draft);
    const createdAtMs = effects.clock.nowMs();
    const effectiveAtMs = effectiveAt * 1000;
    if (effectiveAtMs <= createdAtMs) {
      throw invalid(
        "effective_at",
        "effective_at must be in the future. To change a price now, change the model.",
      );
    }
    refuseIfTooMany(scheduledPriceMirror.listByModel(modelId), effectiveAtMs);
    const price: ScheduledPrice = {
      id: newId("price", createdAtMs, effects.random),
      model: modelId,
      effectiveAtMs,
      change: (draft.price ? { ...draft, price: completePrice(draft.price) } : draft) as ModelChange,
      createdAtMs,
    };
    await scheduledPrices.insert(transaction, price);
    return price;
  });
}

/** @throws Refusal 409 if the model already has a change at that time, or the maximum number of changes. */
function refuseIfTooMany(scheduledPrices: readonly ScheduledPrice[], effectiveAtMs: number): void {
  if (scheduledPrices.some((price) => price.effectiveAtMs === effectiveAtMs)) {
    const message =
      "Another change of this model takes effect at that time; delete it, or choose another time.";
    throw conflict("effective_at", message);
  }
  if (scheduledPrices.length < MAX_PER_MODEL) return;
  throw conflict("effective_at", `A model can have ${MAX_PER_MODEL} scheduled prices; delete one first.`);
}

/** Removes a change that has not taken effect yet. @throws Refusal 404. */
export function deleteScheduledPrice(
  context: ScheduledPriceContext,
  request: ChangeRequest,
  modelId: string,
  id: string,
): Promise<void> {
  const { scheduledPrices, scheduledPriceMirror } = context;
  return change(context, request, async (transaction) => {
    findScheduledPrice(scheduledPriceMirror, modelId, id);
    await scheduledPrices.delete(transaction, id);
  });
}

/** @throws Refusal 404 if the model has no such pending change. */
export function findScheduledPrice(
  mirror: ScheduledPriceMirror,
  modelId: string,
  id: string,
): ScheduledPrice {
  const price = mirror.find(id);
  if (price?.model !== modelId) throw notFound("scheduled price", id, "scheduled_price_id");
  return price;
}
