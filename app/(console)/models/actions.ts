"use server";

import * as z from "zod/mini";
import { action, createAction } from "@/lib/console/action";
import { callGateway } from "@/lib/console/gateway-client";
import { ifMatch, knownVersion } from "@/lib/console/if-match";
import { modelChange, modelDraft } from "@/lib/contract/operations/models";
import { providerDraft } from "@/lib/contract/operations/providers";

export const createModel = createAction(modelDraft, (body, headers) =>
  callGateway("createOrganizationModel", { body, headers }),
);

const changing = z.strictObject({ modelId: z.string(), change: modelChange, version: knownVersion });

export const changeModel = action(changing, ({ modelId, change, version }) =>
  callGateway("changeOrganizationModel", {
    params: { model_id: modelId },
    body: change,
    headers: ifMatch(version),
  }),
);

export const createProvider = createAction(providerDraft, (body, headers) =>
  callGateway("createProvider", { body, headers }),
);

const deletingProvider = z.strictObject({ providerId: z.string(), version: knownVersion });

export const deleteProvider = action(deletingProvider, ({ providerId, version }) =>
  callGateway("deleteProvider", { params: { provider_id: providerId }, headers: ifMatch(version) }),
);
