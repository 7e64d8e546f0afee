"use server";

import * as z from "zod/mini";
import { action } from "@/lib/console/action";
import { callGateway } from "@/lib/console/gateway-client";

export const closeMonth = action(z.strictObject({ month: z.string() }), ({ month }) =>
  callGateway("closeStatement", { params: { month } }),
);
