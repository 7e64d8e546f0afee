"use server";

import * as z from "zod/mini";
import { action } from "@/lib/console/action";
import { callGateway } from "@/lib/console/gateway-client";
import { modelChange, modelDraft } from "@/lib/contract/operations/models";
import { providerDraft } from "@/lib/contract/operations/providers";

export const createModel = action(modelDraft, (draft) =>
  callGateway("createOrganizationModel", { body: draft }),
);

const changing = z.strictObject({ modelId: z.string(), change: modelChange });

export const changeModel = action(changing, ({ modelId, change }) =>
  callGateway("changeOrganizationModel", { params: { model_id: modelId }, body: change }),
);

export const createProvider = action(providerDraft, (draft) =>
  callGateway("createProvider", { body: draft }),
);

export const deleteProvider = action(z.strictObject({ providerId: z.string() }), ({ providerId }) =>
  callGateway("deleteProvider", { params: { provider_id: providerId } }),
);
