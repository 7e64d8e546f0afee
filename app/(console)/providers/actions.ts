"use server";

import * as z from "zod/mini";
import { defineAction, defineCreateAction } from "@/lib/console/actions/define-action";
import { ifMatch, knownVersion } from "@/lib/console/actions/if-match";
import { callGateway } from "@/lib/console/gateway/gateway-client";
import { modelImport } from "@/lib/contract/operations/models/model-imports";
import { newProviderTest } from "@/lib/contract/operations/models/provider-tests";
import { providerChange, providerDraft } from "@/lib/contract/operations/models/providers";

export const createProvider = defineCreateAction(providerDraft, (body, headers) =>
  callGateway("createProvider", { body, headers }),
);

const testSavedInput = z.strictObject({ providerId: z.string(), exchange_rate: z.optional(z.string()) });

export const testSavedProvider = defineAction(testSavedInput, ({ providerId, ...query }) =>
  callGateway("testProvider", { params: { provider_id: providerId }, query }),
);

export const testNewProvider = defineAction(newProviderTest, (body) =>
  callGateway("testNewProvider", { body }),
);

export const importModels = defineCreateAction(modelImport, (body, headers) =>
  callGateway("importModels", { body, headers }),
);

const changeProviderInput = z.strictObject({
  providerId: z.string(),
  change: providerChange,
  version: knownVersion,
});

export const changeProvider = defineAction(changeProviderInput, ({ providerId, change, version }) =>
  callGateway("changeProvider", {
    params: { provider_id: providerId },
    body: change,
    headers: ifMatch(version),
  }),
);

const deleteProviderInput = z.strictObject({ providerId: z.string(), version: knownVersion });

export const deleteProvider = defineAction(deleteProviderInput, ({ providerId, version }) =>
  callGateway("deleteProvider", { params: { provider_id: providerId }, headers: ifMatch(version) }),
);
