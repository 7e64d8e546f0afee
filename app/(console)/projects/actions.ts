"use server";

import * as z from "zod/mini";
import { defineAction, defineCreateAction } from "@/lib/console/actions/define-action";
import { ifMatch, knownVersion } from "@/lib/console/actions/if-match";
import { callGateway } from "@/lib/console/gateway/gateway-client";
import { hostedToolRules, projectDraft } from "@/lib/contract/operations/projects/projects";
import { displayName } from "@/lib/contract/schema";

export const createProject = defineCreateAction(projectDraft, (body, headers) =>
  callGateway("createProject", { body, headers }),
);

const projectInput = z.strictObject({ projectId: z.string(), version: knownVersion });

export const changeProject = defineAction(
  z.extend(projectInput, {
    name: z.optional(displayName),
    hosted_tools: z.optional(z.enum(hostedToolRules)),
  }),
  ({ projectId, version, ...body }) =>
    callGateway("changeProject", { params: { project_id: projectId }, body, headers: ifMatch(version) }),
);

export const archiveProject = defineAction(projectInput, ({ projectId, version }) =>
  callGateway("archiveProject", { params: { project_id: projectId }, headers: ifMatch(version) }),
);
