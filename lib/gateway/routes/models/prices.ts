import type { ModelPrice } from "@/lib/contract/operations/models/models";
import type { PriceDifference } from "@/lib/contract/operations/models/price-checks";
import type { ScheduledPrice as ScheduledPriceReply } from "@/lib/contract/operations/models/scheduled-prices";
import { formatAmount, type Nano, parseCheckedAmount } from "@/lib/money/amount";
import { computeCharge } from "@/lib/money/charge";
import { type ClockCheck, toUnixSeconds } from "../../clock";
import { listInMemory } from "../../lists/paged-list";
import type { UsageFigures, UsageSummaryReader } from "../../log/usage/usage-summary";
import { completePrice, toPrice } from "../../models/model-entry";
import { findModel, type ModelContext } from "../../models/models";
import { CATALOGUE_DATE } from "../../models/price-catalogue";
import { changePrices, comparePrices, type PriceComparison } from "../../models/price-differences";
import type { ScheduledPrice } from "../../models/scheduled-price-store.sql";
import {
  deleteScheduledPrice,
  findScheduledPrice,
  findWhatItWaitsFor,
  type ScheduledPriceContext,
  schedulePrice,
} from "../../models/scheduled-prices";
import { convertPrice } from "../../providers/probe/offer-models";
import type { Handlers } from "../handler";
import { paginate } from "../paginate";
import { describeModel } from "./models";

interface Context extends ModelContext {
  readonly usageSummaries: UsageSummaryReader;
  readonly organization: { readonly currency: string };
}

/** How many models' last months are summed one after another. */
const MOST_COMPARED = 500;

export function priceCheckRoutes(context: Context): Handlers<"checkPrices" | "changePrices"> {
  const { organization } = context;
  return {
    checkPrices: async ({ query: { exchange_rate: rate } }) => {
      const convert = rate === undefined ? null : convertPrice(parseCheckedAmount(rate));
      const { currency } = organization;
      const { differing, unchanged } = await comparePrices(context, { currency, convert });
      const data: PriceDifference[] = [];
      for (const one of differing.slice(0, MOST_COMPARED)) data.push(await describe(context, one));
      return {
        object: "organization.price_check",
        catalogue_date: CATALOGUE_DATE,
        currency,
        unchanged,
        data,
      };
    },
    changePrices: async ({ body, request }) => {
      const models = await changePrices(context, request, body);
      return {
        object: "organization.price_changes",
        models: models.map((model) => describeModel(model, organization.currency)),
      };
    },
  };
}

async function describe(context: Context, comparison: PriceComparison): Promise<PriceDifference> {
  const { model, provider, name, price, newPrice } = comparison;
  const { totals } = await context.usageSummaries.summarize(
    lastMonthOf(model.id, context.runtime.clock.nowMs()),
  );
  return {
    id: model.id,
    provider,
    model: name,
    price,
    new_price: newPrice,
    last_month: {
      calls: totals.requests,
      charged: formatAmount(totals.amount),
      at_price: costOf(totals, price, model.rate),
      at_new_price: costOf(totals, newPrice, model.rate),
    },
  };
}

/** The calendar month (UTC) before this one. */
function lastMonthOf(model: string, nowMs: number): Parameters<UsageSummaryReader["summarize"]>[0] {
  const now = new Date(nowMs);
  const [fromMs, toMs] = [-1, 0].map((month) =>
    Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + month),
  ) as [number, number];
  return {
    filter: { projectIds: null, model },
    fromMs,
    toMs,
    isUntilNow: false,
    widthMs: toMs,
    shiftMs: null,
    groupBy: null,
    orderBy: "amount",
    latencies: "none",
    series: undefined,
  };
}

/** Summed tokens at a price. The sum of many prompts would pass for one long prompt, so that price is left out. */
function costOf(
  { promptTokens, completionTokens, cachedTokens }: UsageFigures,
  price: ModelPrice,
  rate: Nano,
): string {
  const { classes: { longContext: _, ...classes } = {}, ...perToken } = toPrice(price);
  return formatAmount(
    computeCharge({ promptTokens, completionTokens, cachedTokens }, { ...perToken, classes, rate }),
  );
}

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
