import { newId } from "@/lib/contract/ids";
import type { ModelChange } from "@/lib/contract/operations/models/models";
import type { ScheduledPriceDraft } from "@/lib/contract/operations/models/scheduled-prices";
import { type ChangeRequest, change, systemChange } from "../changes/change";
import type { TableCache } from "../changes/table-cache";
import type { ClockCheck } from "../clock";
import { conflict, invalid, notFound } from "../refusal";
import { completePrice } from "./model-entry";
import { findChangeFault, findModel, type ModelContext, pickChangedPrices } from "./models";
import type { ScheduledPrice, ScheduledPriceStore } from "./scheduled-price-store.sql";

/** The scheduled prices in memory, so that checking for due ones needs no read. */
export class ScheduledPriceCache {
  /** Earliest first. */
  #prices: readonly ScheduledPrice[] = [];

  listByModel(model: string): ScheduledPrice[] {
    return this.#prices.filter((price) => price.model === model);
  }

  find(id: string): ScheduledPrice | undefined {
    return this.#prices.find((price) => price.id === id);
  }

  /** The prices whose time has come, earliest first. */
  listDue(nowMs: number): ScheduledPrice[] {
    return this.#prices.filter(({ effectiveAtMs }) => effectiveAtMs <= nowMs);
  }

  following(store: Pick<ScheduledPriceStore, "list">): TableCache {
    const load = async () => {
      this.#prices = await store.list();
    };
    return { load, reread: { scheduled_prices: load } };
  }
}

export interface ScheduledPriceContext extends ModelContext {
  readonly scheduledPrices: ScheduledPriceStore;
  readonly scheduledPriceCache: ScheduledPriceCache;
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
  const { catalogue, scheduledPrices, scheduledPriceCache, runtime } = context;
  return change(context, request, async (transaction) => {
    pickChangedPrices(findModel(catalogue, modelId), draft);
    const createdAtMs = runtime.clock.nowMs();
    const effectiveAtMs = effectiveAt * 1000;
    if (effectiveAtMs <= createdAtMs) {
      throw invalid(
        "effective_at",
        "effective_at must be in the future. To change a price now, change the model.",
      );
    }
    refuseIfTooMany(scheduledPriceCache.listByModel(modelId), effectiveAtMs);
    const price: ScheduledPrice = {
      id: newId("price", createdAtMs, runtime.random),
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
  const { scheduledPrices, scheduledPriceCache } = context;
  return change(context, request, async (transaction) => {
    findScheduledPrice(scheduledPriceCache, modelId, id);
    await scheduledPrices.delete(transaction, id);
  });
}

/** @throws Refusal 404 if the model has no such pending change. */
export function findScheduledPrice(cache: ScheduledPriceCache, modelId: string, id: string): ScheduledPrice {
  const price = cache.find(id);
  if (price?.model !== modelId) throw notFound("scheduled price", id, "scheduled_price_id");
  return price;
}

type Context = Pick<
  ScheduledPriceContext,
  "changes" | "catalogue" | "models" | "scheduledPrices" | "scheduledPriceCache" | "runtime"
>;

/**
 * Applies every scheduled price whose time has come, in order: a later one builds on an earlier one. A price that its
 * model can't have now, because the configuration file has changed, stays scheduled.
 */
export async function applyDuePrices(context: Context): Promise<void> {
  const { scheduledPriceCache, runtime } = context;
  for (const { id } of scheduledPriceCache.listDue(runtime.clock.nowMs())) await applyPrice(context, id);
}

/**
 * Why a price whose time has come is not applied; null before that time, and where it is applied within a second. What
 * a call was charged can't be taken back, so due prices wait while the clock may be days off.
 */
export function findWhatItWaitsFor(
  context: Pick<Context, "catalogue" | "runtime"> & { readonly steadyClock: ClockCheck },
  price: ScheduledPrice,
): "clock" | "model" | null {
  if (price.effectiveAtMs > context.runtime.clock.nowMs()) return null;
  if (context.steadyClock.mayBeFarOff()) return "clock";
  return isApplicable(context, price) ? null : "model";
}

/** Looks everything up again in the transaction, since another process may have applied it first. */
async function applyPrice(context: Context, id: string): Promise<void> {
  const { changes, catalogue, models, scheduledPrices, scheduledPriceCache, runtime } = context;
  if (!isApplicable(context, scheduledPriceCache.find(id))) return;
  await systemChange(context, "scheduled price", async (transaction) => {
    await changes.feed.catchUp();
    const duePrice = scheduledPriceCache.find(id);
    const model = duePrice && catalogue.find(duePrice.model);
    if (!duePrice || !model || !isApplicable(context, duePrice)) return;
    const prices = pickChangedPrices(model, duePrice.change);
    await models.savePrice(transaction, { model: model.id, ...prices, updatedAtMs: runtime.clock.nowMs() });
    await scheduledPrices.delete(transaction, id);
  });
}

function isApplicable(
  { catalogue }: Pick<Context, "catalogue">,
  duePrice: ScheduledPrice | undefined,
): boolean {
  const model = duePrice && catalogue.find(duePrice.model);
  if (!model) return false;
  const { price, unit_price } = duePrice.change;
  const hasPrice = [model.price, model.unitPrice, price, unit_price].some(Boolean);
  return hasPrice && findChangeFault(model, duePrice.change) === null;
}
