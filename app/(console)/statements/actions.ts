"use server";

import * as z from "zod/mini";
import { action } from "@/lib/console/actions/action";
import { callGateway } from "@/lib/console/gateway/gateway-client";

export const closeMonth = action(z.strictObject({ month: z.string() }), ({ month }) =>
  callGateway("closeStatement", { params: { month } }),
);
