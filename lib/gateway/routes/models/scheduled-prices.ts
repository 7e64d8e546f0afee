import type { ScheduledPrice as ScheduledPriceReply } from "@/lib/contract/operations/models/scheduled-prices";
import { formatAmount, parseCheckedAmount } from "@/lib/money/amount";
import type { ClockCheck } from "../../clock";
import { listInMemory } from "../../lists/paged-list";
import { completePrice } from "../../models/model-entry";
import { findModel } from "../../models/models";
import type { ScheduledPrice } from "../../models/scheduled-price-store.sql";
import {
  deleteScheduledPrice,
  findScheduledPrice,
  findWhatItWaitsFor,
  type ScheduledPriceContext,
  schedulePrice,
} from "../../models/scheduled-prices";
import { toUnixSeconds } from "../../unix-seconds";
import type { Handlers } from "../handler";
import { paginate } from "../paginate";

type Ids = "listScheduledPrices" | "retrieveScheduledPrice" | "createScheduledPrice" | "deleteScheduledPrice";

export function scheduledPriceRoutes(
  context: ScheduledPriceContext & { readonly steadyClock: ClockCheck },
): Handlers<Ids> {
  const { catalogue, scheduledPriceCache } = context;
  const toReply = (price: ScheduledPrice) =>
    describeScheduledPrice(price, findWhatItWaitsFor(context, price));
  return {
    listScheduledPrices: ({ params: { model_id: modelId }, query }) => {
      findModel(catalogue, modelId);
      return paginate(listInMemory(scheduledPriceCache.listByModel(modelId)), query, toReply);
    },
    createScheduledPrice: async ({ params, body, request }) =>
      toReply(await schedulePrice(context, request, params.model_id, body)),
    retrieveScheduledPrice: async ({ params: { model_id: modelId, scheduled_price_id: id } }) =>
      toReply(findScheduledPrice(scheduledPriceCache, modelId, id)),
    deleteScheduledPrice: async ({ params: { model_id: modelId, scheduled_price_id: id }, request }) => {
      await deleteScheduledPrice(context, request, modelId, id);
      return { object: "organization.model.scheduled_price.deleted", id, deleted: true };
    },
  };
}

function describeScheduledPrice(
  { id, model, effectiveAtMs, change, createdAtMs }: ScheduledPrice,
  waitsFor: ReturnType<typeof findWhatItWaitsFor>,
): ScheduledPriceReply {
  return {
    object: "organization.model.scheduled_price",
    id,
    model_id: model,
    effective_at: toUnixSeconds(effectiveAtMs),
    ...(waitsFor && { waits_for: waitsFor }),
    rate: change.rate === undefined ? null : formatAmount(parseCheckedAmount(change.rate)),
    ...(change.batch_rate !== undefined && {
      batch_rate: change.batch_rate && formatAmount(parseCheckedAmount(change.batch_rate)),
    }),
    price: change.price ? completePrice(change.price) : null,
    unit_price: change.unit_price ?? null,
    ...(change.audio_price !== undefined && { audio_price: change.audio_price }),
    created_at: toUnixSeconds(createdAtMs),
  };
}
