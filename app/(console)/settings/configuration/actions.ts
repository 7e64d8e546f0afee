"use server";

import * as z from "zod/mini";
import { defineAction } from "@/lib/console/actions/define-action";
import { callGateway } from "@/lib/console/gateway/gateway-client";
import { applyRequest, planRequest } from "@/lib/contract/operations/configuration/configuration";

export const exportConfiguration = defineAction(z.strictObject({}), () =>
  callGateway("retrieveConfiguration", {}),
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
