"use server";

import * as z from "zod/mini";
import { defineAction, defineCreateAction } from "@/lib/console/actions/define-action";
import { ifMatch, knownVersion } from "@/lib/console/actions/if-match";
import { callGateway } from "@/lib/console/gateway/gateway-client";
import type { Permission } from "@/lib/contract/access/permissions";
import { projectRoleChange, projectRoleDraft, roleChange } from "@/lib/contract/operations/people/roles";
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

const projectInput = z.strictObject({ projectId: z.string() });

export const createProjectRole = defineCreateAction(
  z.extend(projectInput, { role: projectRoleDraft }),
  ({ projectId, role: body }, headers) =>
    callGateway("createProjectRole", { params: { project_id: projectId }, body, headers }),
);

const projectRoleInput = z.extend(projectInput, { roleId: z.string(), version: knownVersion });

export const editProjectRole = defineAction(
  z.extend(projectRoleInput, { change: projectRoleChange }),
  ({ projectId, roleId, change: body, version }) =>
    callGateway("changeProjectRole", {
      params: { project_id: projectId, role_id: roleId },
      body,
      headers: ifMatch(version),
    }),
);

export const deleteProjectRole = defineAction(projectRoleInput, ({ projectId, roleId, version }) =>
  callGateway("deleteProjectRole", {
    params: { project_id: projectId, role_id: roleId },
    headers: ifMatch(version),
  }),
);
