"use server";

import * as z from "zod/mini";
import { defineAction, defineCreateAction } from "@/lib/console/actions/define-action";
import { ifMatch, knownVersion } from "@/lib/console/actions/if-match";
import { callAsOneself, callGateway } from "@/lib/console/gateway/gateway-client";
import type { GatewayReply } from "@/lib/console/gateway/problem";
import { endRoleView, startRoleView } from "@/lib/console/sign-in/role-view";
import type { Permission } from "@/lib/contract/access/permissions";

/** A null `projectId` means the whole organization. */
const assignmentInput = z.strictObject({
  type: z.enum(["user", "group"]),
  id: z.string(),
  projectId: z.nullable(z.string()),
  roleId: z.string(),
});

const givenInput = z.extend(assignmentInput, {
  /** Further projects in which the same role is given. */
  alsoIn: z.array(z.string()).check(z.maxLength(1000)),
});
type Given = GatewayReply<{ role: { name: string } }>;

/**
 * Gives a member or a group another role, in one project after the other. Where one fails, those before it keep the
 * role, and the same request goes on from there.
 */
export const giveRole = defineCreateAction(
  givenInput,
  async ({ alsoIn, ...first }, headers): Promise<Given> => {
    const given = await assign(first, headers);
    if (!given.ok) return given;
    for (const [index, projectId] of alsoIn.entries()) {
      const key = `${headers["idempotency-key"]}-${projectId}`;
      const reply = await assign({ ...first, projectId }, { "idempotency-key": key });
      if (reply.ok || reply.problem.errorCode === "already_exists") continue;
      const done = `It is given in ${index + 1} of ${alsoIn.length + 1} projects: give it again for the others.`;
      return { ok: false, problem: { ...reply.problem, message: `${reply.problem.message} ${done}` } };
    }
    return given;
  },
);

async function assign(
  { type, id, projectId, roleId }: z.output<typeof assignmentInput>,
  headers: Record<string, string>,
): Promise<Given> {
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
}

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

const viewInput = z.strictObject({
  roleId: z.string(),
  roleName: z.string(),
  /** Those of an unsaved draft; the role's own if they are absent. */
  permissions: z.optional(z.array(z.string())),
});

/** Shows the console as somebody with this role alone sees it, until the view is left. The audit log says who did. */
export const startView = defineAction(viewInput, async ({ roleId, roleName, permissions }) => {
  const drafted = permissions && { permissions: permissions as Permission[] };
  const reply = await callAsOneself("viewAsRole", { body: { role_id: roleId, ...drafted } });
  if (!reply.ok) return reply;
  const isDraft = permissions !== undefined;
  await startRoleView({ roleId, roleName, isDraft, header: reply.data.header });
  return { ok: true, data: null };
});

export const leaveView = defineAction(z.undefined(), async () => {
  await endRoleView();
  return { ok: true, data: null };
});
