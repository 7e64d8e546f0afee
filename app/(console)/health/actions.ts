"use server";

import * as z from "zod/mini";
import { action } from "@/lib/console/actions/action";
import { callGateway } from "@/lib/console/gateway/gateway-client";

const testInput = z.strictObject({ providerId: z.string() });

const closeCircuitInput = z.strictObject({ providerId: z.string(), model: z.string() });

export const closeCircuit = action(closeCircuitInput, ({ providerId, model }) =>
  callGateway("closeCircuit", { params: { provider_id: providerId }, body: { model } }),
);

export const testProvider = action(testInput, ({ providerId }) =>
  callGateway("testProvider", { params: { provider_id: providerId } }),
);
