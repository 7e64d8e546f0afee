"use server";

import * as z from "zod/mini";
import { defineAction, defineCreateAction } from "@/lib/console/actions/define-action";
import { ifMatch, knownVersion } from "@/lib/console/actions/if-match";
import { callGateway } from "@/lib/console/gateway/gateway-client";
import { providerChange, providerDraft } from "@/lib/contract/operations/models/providers";

export const createProvider = defineCreateAction(providerDraft, (body, headers) =>
  callGateway("createProvider", { body, headers }),
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
