"use server";

import * as z from "zod/mini";
import { defineAction, defineCreateAction } from "@/lib/console/actions/define-action";
import { ifMatch, knownVersion } from "@/lib/console/actions/if-match";
import { callGateway } from "@/lib/console/gateway/gateway-client";
import type { GatewayReply } from "@/lib/console/gateway/problem";

/** A null `projectId` means the whole organization. */
const assignmentInput = z.strictObject({
  type: z.enum(["user", "group"]),
  id: z.string(),
  projectId: z.nullable(z.string()),
  roleId: z.string(),
});

/** Gives a member or a group another role. */
export const giveRole = defineCreateAction(
  assignmentInput,
  async ({ type, id, projectId, roleId }, headers): Promise<GatewayReply<{ role: { name: string } }>> => {
    const body = { role_id: roleId };
    if (projectId === null) {
      return type === "user"
        ? callGateway("assignUserRole", { params: { user_id: id }, body, headers })
        : callGateway("assignGroupRole", { params: { group_id: id }, body, headers });
    }
    const params = { project_id: projectId };
    return type === "user"
      ? callGateway("assignProjectUserRole", { params: { ...params, user_id: id }, body, headers })
      : callGateway("assignProjectGroupRole", { params: { ...params, group_id: id }, body, headers });
  },
);

/** Takes away a directly held role. */
export const takeRole = defineAction(
  z.extend(assignmentInput, { version: knownVersion }),
  async ({ type, id, projectId, roleId, version }): Promise<GatewayReply<{ deleted: true }>> => {
    const role = { role_id: roleId };
    if (projectId === null) {
      return type === "user"
        ? callGateway("unassignUserRole", { params: { ...role, user_id: id }, headers: ifMatch(version) })
        : callGateway("unassignGroupRole", { params: { ...role, group_id: id }, headers: ifMatch(version) });
    }
    const params = { ...role, project_id: projectId };
    return type === "user"
      ? callGateway("unassignProjectUserRole", {
          params: { ...params, user_id: id },
          headers: ifMatch(version),
        })
      : callGateway("unassignProjectGroupRole", {
          params: { ...params, group_id: id },
          headers: ifMatch(version),
        });
  },
);
