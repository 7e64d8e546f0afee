"use server";

import * as z from "zod/mini";
import { defineAction } from "@/lib/console/actions/define-action";
import { callGateway } from "@/lib/console/gateway/gateway-client";

/**
 * Reads a call's request and answer. An action and not a read: each time is audited, so it must never be refetched
 * automatically.
 */
export const readRequestBody = defineAction(z.strictObject({ requestId: z.string() }), ({ requestId }) =>
  callGateway("retrieveRequestBody", { params: { request_id: requestId } }),
);
