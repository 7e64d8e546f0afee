"use server";

import * as z from "zod/mini";
import { defineAction, defineCreateAction } from "@/lib/console/actions/define-action";
import { ifMatch, knownVersion } from "@/lib/console/actions/if-match";
import { callGateway } from "@/lib/console/gateway/gateway-client";
import type { Permission } from "@/lib/contract/access/permissions";
import { sentRole } from "./role-form-schema";

export const createRole = defineCreateAction(sentRole, ({ description, permissions, ...draft }, headers) =>
  callGateway("createRole", {
    headers,
    body: { ...draft, ...(description ? { description } : {}), permissions: permissions as Permission[] },
  }),
);

const changeInput = z.strictObject({
  roleId: z.string(),
  change: z.partial(sentRole),
  version: knownVersion,
});

export const changeRole = defineAction(
  changeInput,
  ({ roleId, change: { permissions, ...change }, version }) =>
    callGateway("changeRole", {
      params: { role_id: roleId },
      headers: ifMatch(version),
      body: { ...change, ...(permissions ? { permissions: permissions as Permission[] } : {}) },
    }),
);

const deleteInput = z.strictObject({ roleId: z.string(), version: knownVersion });

export const deleteRole = defineAction(deleteInput, ({ roleId, version }) =>
  callGateway("deleteRole", { params: { role_id: roleId }, headers: ifMatch(version) }),
);
