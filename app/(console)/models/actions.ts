"use server";

import * as z from "zod/mini";
import { defineAction, defineCreateAction } from "@/lib/console/actions/define-action";
import { ifMatch, knownVersion } from "@/lib/console/actions/if-match";
import { callGateway } from "@/lib/console/gateway/gateway-client";
import { modelChange, modelDraft, modelRoutes } from "@/lib/contract/operations/models/models";
import { priceChanges } from "@/lib/contract/operations/models/price-checks";
import { scheduledPriceDraft } from "@/lib/contract/operations/models/scheduled-prices";

export const createModel = defineCreateAction(modelDraft, (body, headers) =>
  callGateway("createOrganizationModel", { body, headers }),
);

const changeModelInput = z.strictObject({ modelId: z.string(), change: modelChange, version: knownVersion });

export const changeModel = defineAction(changeModelInput, ({ modelId, change, version }) =>
  callGateway("changeOrganizationModel", {
    params: { model_id: modelId },
    body: change,
    headers: ifMatch(version),
  }),
);

export const changePrices = defineAction(priceChanges, (body) => callGateway("changePrices", { body }));

const saveRoutesInput = z.strictObject({
  modelId: z.string(),
  routes: z.nullable(modelRoutes),
  version: knownVersion,
});

export const saveModelRoutes = defineAction(saveRoutesInput, ({ modelId, routes, version }) =>
  callGateway("saveModelRoutes", {
    params: { model_id: modelId },
    body: { routes },
    headers: ifMatch(version),
  }),
);

const simulateInput = z.strictObject({ modelId: z.string(), routes: modelRoutes });

export const simulateModelRoutes = defineAction(simulateInput, ({ modelId, routes }) =>
  callGateway("simulateModelRoutes", { params: { model_id: modelId }, body: { routes } }),
);

const createPriceInput = z.strictObject({ modelId: z.string(), body: scheduledPriceDraft });

export const createScheduledPrice = defineCreateAction(createPriceInput, ({ modelId, body }, headers) =>
  callGateway("createScheduledPrice", { params: { model_id: modelId }, body, headers }),
);

const deletePriceInput = z.strictObject({
  modelId: z.string(),
  scheduledPriceId: z.string(),
  version: knownVersion,
});

export const deleteScheduledPrice = defineAction(deletePriceInput, ({ modelId, scheduledPriceId, version }) =>
  callGateway("deleteScheduledPrice", {
    params: { model_id: modelId, scheduled_price_id: scheduledPriceId },
    headers: ifMatch(version),
  }),
);
