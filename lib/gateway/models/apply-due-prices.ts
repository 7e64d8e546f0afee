import { systemChange } from "../changes/change";
import type { ClockCheck } from "../effects";
import { findChangeFault, pickChangedPrices } from "./pick-changed-prices";
import type { ScheduledPriceContext } from "./schedule-price";
import type { ScheduledPrice } from "./scheduled-price-store";

type Context = Pick<
  ScheduledPriceContext,
  "changes" | "catalogue" | "models" | "scheduledPrices" | "scheduledPriceMirror" | "effects"
>;

/**
 * Applies every scheduled price whose time has come, in order: a later one builds on an earlier one. A price that its
 * model can't have now, because the configuration file has changed, stays scheduled.
 */
export async function applyDuePrices(context: Context): Promise<void> {
  const { scheduledPriceMirror, effects } = context;
  for (const { id } of scheduledPriceMirror.listDue(effects.clock.nowMs())) await applyPrice(context, id);
}

/**
 * Why a price whose time has come is not applied; null before that time, and where it is applied within a second. What
 * a call was charged can't be taken back, so due prices wait while the clock may be days off.
 */
export function findWhatItWaitsFor(
  context: Pick<Context, "catalogue" | "effects"> & { readonly steadyClock: ClockCheck },
  price: ScheduledPrice,
): "clock" | "model" | null {
  if (price.effectiveAtMs > context.effects.clock.nowMs()) return null;
  if (context.steadyClock.mayBeFarOff()) return "clock";
  return isApplicable(context, price) ? null : "model";
}

/** Looks everything up again in the transaction, since another process may have applied it first. */
async function applyPrice(context: Context, id: string): Promise<void> {
  const { changes, catalogue, models, scheduledPrices, scheduledPriceMirror, effects } = context;
  if (!isApplicable(context, scheduledPriceMirror.find(id))) return;
  await systemChange(context, "scheduled price", async (transaction) => {
    await changes.feed.catchUp();
    const duePrice = scheduledPriceMirror.find(id);
    const model = duePrice && catalogue.find(duePrice.model);
    if (!duePrice || !model || !isApplicable(context, duePrice)) return;
    const prices = pickChangedPrices(model, duePrice.change);
    await models.savePrice(transaction, { model: model.id, ...prices, updatedAtMs: effects.clock.nowMs() });
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
