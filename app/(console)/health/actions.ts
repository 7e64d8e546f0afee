"use server";

import * as z from "zod/mini";
import { defineAction } from "@/lib/console/actions/define-action";
import { callGateway } from "@/lib/console/gateway/gateway-client";

const testInput = z.strictObject({ providerId: z.string() });

const closeCircuitInput = z.strictObject({ providerId: z.string(), model: z.string() });

export const closeCircuit = defineAction(closeCircuitInput, ({ providerId, model }) =>
  callGateway("closeCircuit", { params: { provider_id: providerId }, body: { model } }),
);

export const testProvider = defineAction(testInput, ({ providerId }) =>
  callGateway("testProvider", { params: { provider_id: providerId } }),
);
