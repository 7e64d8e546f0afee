"use server";

import * as z from "zod/mini";
import { defineAction, defineCreateAction } from "@/lib/console/actions/define-action";
import { ifMatch, knownVersion } from "@/lib/console/actions/if-match";
import { callGateway } from "@/lib/console/gateway/gateway-client";
import { emailAddress } from "@/lib/contract/schema";

const projectInput = z.strictObject({ projectId: z.string() });

export const addProjectMember = defineCreateAction(
  z.extend(projectInput, { email: emailAddress, role: z.string() }),
  ({ projectId, ...body }, headers) =>
    callGateway("addProjectUser", { params: { project_id: projectId }, body, headers }),
);

const memberInput = z.extend(projectInput, { userId: z.string(), version: knownVersion });

export const changeProjectRole = defineAction(
  z.extend(memberInput, { role: z.string() }),
  ({ projectId, userId, role, version }) =>
    callGateway("changeProjectUser", {
      params: { project_id: projectId, user_id: userId },
      body: { role },
      headers: ifMatch(version),
    }),
);

export const removeProjectMember = defineAction(memberInput, ({ projectId, userId, version }) =>
  callGateway("removeProjectUser", {
    params: { project_id: projectId, user_id: userId },
    headers: ifMatch(version),
  }),
);

export const addProjectGroup = defineCreateAction(
  z.extend(projectInput, { group_id: z.string(), role: z.string() }),
  ({ projectId, ...body }, headers) =>
    callGateway("addProjectGroup", { params: { project_id: projectId }, body, headers }),
);

export const removeProjectGroup = defineAction(
  z.extend(projectInput, { groupId: z.string(), version: knownVersion }),
  ({ projectId, groupId, version }) =>
    callGateway("removeProjectGroup", {
      params: { project_id: projectId, group_id: groupId },
      headers: ifMatch(version),
    }),
);
