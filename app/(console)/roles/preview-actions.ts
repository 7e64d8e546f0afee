"use server";

import * as z from "zod/mini";
import { defineAction } from "@/lib/console/actions/define-action";
import { callGateway } from "@/lib/console/gateway/gateway-client";
import { projectRoleChange, roleChange } from "@/lib/contract/operations/people/roles";

const roleInput = { roleId: z.string() };

/** Returns the effects of a role change without making it. */
export const previewRole = defineAction(
  z.strictObject({ ...roleInput, change: roleChange }),
  ({ roleId, change: body }) => callGateway("previewRole", { params: { role_id: roleId }, body }),
);

export const previewProjectRole = defineAction(
  z.strictObject({ ...roleInput, projectId: z.string(), change: projectRoleChange }),
  ({ projectId, roleId, change: body }) =>
    callGateway("previewProjectRole", { params: { project_id: projectId, role_id: roleId }, body }),
);
