"use server";

import * as z from "zod/mini";
import { keyLifetime, toExpiry } from "@/components/keys/key-lifetime";
import { defineCreateAction } from "@/lib/console/actions/define-action";
import { callGateway } from "@/lib/console/gateway/gateway-client";
import { displayName } from "@/lib/contract/schema";

const createInput = z.strictObject({ name: displayName, role: z.string(), lifetime: keyLifetime });

export const createAdminKey = defineCreateAction(createInput, ({ name, role, lifetime }, headers) =>
  callGateway("createAdminApiKey", { body: { name, role, ...toExpiry(lifetime) }, headers }),
);
