"use server";

import * as z from "zod/mini";
import { defineAction } from "@/lib/console/actions/define-action";
import { callGateway } from "@/lib/console/gateway/gateway-client";

export const closeMonth = defineAction(z.strictObject({ month: z.string() }), ({ month }) =>
  callGateway("closeStatement", { params: { month } }),
);
