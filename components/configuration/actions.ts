"use server";

import * as z from "zod/mini";
import { defineAction } from "@/lib/console/actions/define-action";
import { callGateway } from "@/lib/console/gateway/gateway-client";
import {
  applyRequest,
  configurationParts,
  planRequest,
} from "@/lib/contract/operations/configuration/configuration";

const exported = z.strictObject({
  parts: z.optional(z.array(z.enum(configurationParts))),
  /** Unix seconds: what was set then; now if it is absent. */
  at: z.optional(z.string()),
});

export const exportConfiguration = defineAction(exported, (query) =>
  callGateway("retrieveConfiguration", { query }),
);

export const planConfiguration = defineAction(planRequest, (body) =>
  callGateway("planConfiguration", { body }),
);

export const applyConfiguration = defineAction(applyRequest, (body) =>
  callGateway("applyConfiguration", { body }),
);

export const undoConfiguration = defineAction(z.strictObject({ id: z.string() }), ({ id }) =>
  callGateway("undoConfiguration", { params: { application_id: id } }),
);
