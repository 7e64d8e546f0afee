"use server";

import * as z from "zod/mini";
import { action } from "@/lib/console/actions/action";
import { callGateway } from "@/lib/console/gateway/gateway-client";

const testing = z.strictObject({ providerId: z.string() });

const closing = z.strictObject({ providerId: z.string(), model: z.string() });

export const closeCircuit = action(closing, ({ providerId, model }) =>
  callGateway("closeCircuit", { params: { provider_id: providerId }, body: { model } }),
);

export const testProvider = action(testing, ({ providerId }) =>
  callGateway("testProvider", { params: { provider_id: providerId } }),
);
