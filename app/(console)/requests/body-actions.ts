"use server";

import * as z from "zod/mini";
import { action } from "@/lib/console/action";
import { callGateway } from "@/lib/console/gateway-client";

/** Request and answer of a call. An action and no read: each time is an event of the audit log, so nothing repeats it by itself. */
export const readRequestBody = action(z.strictObject({ requestId: z.string() }), ({ requestId }) =>
  callGateway("retrieveRequestBody", { params: { request_id: requestId } }),
);
