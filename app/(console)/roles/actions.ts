"use server";

import * as z from "zod/mini";
import { action } from "@/lib/console/action";
import { callGateway } from "@/lib/console/gateway-client";
import type { Permission } from "@/lib/contract/permissions";
import { sentRole } from "./role-form-schema";

export const createRole = action(sentRole, ({ description, permissions, ...draft }) =>
  callGateway("createRole", {
    body: { ...draft, ...(description ? { description } : {}), permissions: permissions as Permission[] },
  }),
);

const changing = z.strictObject({ roleId: z.string(), change: z.partial(sentRole) });

export const changeRole = action(changing, ({ roleId, change: { permissions, ...change } }) =>
  callGateway("changeRole", {
    params: { role_id: roleId },
    body: { ...change, ...(permissions ? { permissions: permissions as Permission[] } : {}) },
  }),
);

export const deleteRole = action(z.strictObject({ roleId: z.string() }), ({ roleId }) =>
  callGateway("deleteRole", { params: { role_id: roleId } }),
);
