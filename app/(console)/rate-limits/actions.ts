"use server";

import * as z from "zod/mini";
import { action } from "@/lib/console/action";
import { callGateway } from "@/lib/console/gateway-client";
import { rateLimitChange } from "@/lib/contract/operations/rate-limits";

const saving = z.strictObject({ projectId: z.string(), rateLimitId: z.string(), change: rateLimitChange });

export const saveRateLimit = action(saving, ({ projectId, rateLimitId, change }) =>
  callGateway("saveRateLimit", {
    params: { project_id: projectId, rate_limit_id: rateLimitId },
    body: change,
  }),
);
