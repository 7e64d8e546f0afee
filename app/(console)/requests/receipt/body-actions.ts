"use server";

import * as z from "zod/mini";
import { action } from "@/lib/console/actions/action";
import { callGateway } from "@/lib/console/gateway/gateway-client";

/**
 * Reads a call's request and answer. An action and not a read: each time is audited, so it must never be refetched automatically.
 */
export const readRequestBody = action(z.strictObject({ requestId: z.string() }), ({ requestId }) =>
  callGateway("retrieveRequestBody", { params: { request_id: requestId } }),
);
