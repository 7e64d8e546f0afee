"use server";

import * as z from "zod/mini";
import { defineAction, defineCreateAction } from "@/lib/console/actions/define-action";
import { ifMatch, knownVersion } from "@/lib/console/actions/if-match";
import { callGateway } from "@/lib/console/gateway/gateway-client";
import { projectRoleChange, projectRoleDraft } from "@/lib/contract/operations/people/roles";

const projectInput = z.strictObject({ projectId: z.string() });

export const createProjectRole = defineCreateAction(
  z.extend(projectInput, { role: projectRoleDraft }),
  ({ projectId, role: body }, headers) =>
    callGateway("createProjectRole", { params: { project_id: projectId }, body, headers }),
);

const roleInput = z.extend(projectInput, { roleId: z.string(), version: knownVersion });

export const editProjectRole = defineAction(
  z.extend(roleInput, { change: projectRoleChange }),
  ({ projectId, roleId, change: body, version }) =>
    callGateway("changeProjectRole", {
      params: { project_id: projectId, role_id: roleId },
      body,
      headers: ifMatch(version),
    }),
);

export const deleteProjectRole = defineAction(roleInput, ({ projectId, roleId, version }) =>
  callGateway("deleteProjectRole", {
    params: { project_id: projectId, role_id: roleId },
    headers: ifMatch(version),
  }),
);
