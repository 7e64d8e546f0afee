"use server";

import * as z from "zod/mini";
import { defineAction, defineCreateAction } from "@/lib/console/actions/define-action";
import { ifMatch, knownVersion } from "@/lib/console/actions/if-match";
import { callGateway } from "@/lib/console/gateway/gateway-client";
import type { GatewayReply, StaleObject } from "@/lib/console/gateway/problem";
import { type BodySettings, bodySettingsDraft } from "@/lib/contract/operations/calls/request-bodies";
import { hostedToolRules, projectDraft } from "@/lib/contract/operations/projects/projects";
import { displayName, emailAddress } from "@/lib/contract/schema";
import { modelMode } from "./models/model-form-schemas";
import { everyModel, type ProjectModelPermissions } from "./models/project-model-permissions";

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

const bodySettingsInput = z.strictObject({
  projectId: z.string(),
  settings: bodySettingsDraft,
  version: knownVersion,
});

/**
 * Saves which prompts and answers a project stores. An error about one pattern is shown at the field for all patterns.
 */
export const saveBodySettings = defineAction(
  bodySettingsInput,
  async ({ projectId, settings, version }): Promise<GatewayReply<BodySettings>> => {
    const reply = await callGateway("saveBodySettings", {
      params: { project_id: projectId },
      body: settings,
      headers: ifMatch(version),
    });
    if (reply.ok) return reply;
    const { fields } = reply.problem;
    const [, refused] = Object.entries(fields).find(([name]) => name.startsWith("redactions.")) ?? [];
    return refused === undefined
      ? reply
      : { ...reply, problem: { ...reply.problem, fields: { ...fields, redactions: refused } } };
  },
);

const membershipInput = z.strictObject({ projectId: z.string() });

export const addProjectMember = defineCreateAction(
  z.extend(membershipInput, { email: emailAddress, role: z.string() }),
  ({ projectId, ...body }, headers) =>
    callGateway("addProjectUser", { params: { project_id: projectId }, body, headers }),
);

const memberInput = z.extend(membershipInput, { userId: z.string(), version: knownVersion });

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
  z.extend(membershipInput, { group_id: z.string(), role: z.string() }),
  ({ projectId, ...body }, headers) =>
    callGateway("addProjectGroup", { params: { project_id: projectId }, body, headers }),
);

export const removeProjectGroup = defineAction(
  z.extend(membershipInput, { groupId: z.string(), version: knownVersion }),
  ({ projectId, groupId, version }) =>
    callGateway("removeProjectGroup", {
      params: { project_id: projectId, group_id: groupId },
      headers: ifMatch(version),
    }),
);

const modelSettingsInput = z.strictObject({
  projectId: z.string(),
  mode: modelMode,
  modelIds: z.array(z.string()),
  version: knownVersion,
});

/** Saves which models a project can call. "All models" is saved by deleting the setting. */
export const saveProjectModels = defineAction(
  modelSettingsInput,
  async ({ projectId, mode, modelIds, version }): Promise<GatewayReply<ProjectModelPermissions>> => {
    const params = { project_id: projectId };
    if (mode !== "all") {
      const body = { mode, model_ids: modelIds };
      return callGateway("saveModelPermissions", { params, body, headers: ifMatch(version) });
    }
    const reply = await callGateway("deleteModelPermissions", { params, headers: ifMatch(version) });
    if (reply.ok) return { ...reply, data: everyModel };
    if (reply.problem.code !== "stale") return reply;
    // A stale delete doesn't return the current object, which the form needs for comparison.
    const now = await callGateway("retrieveModelPermissions", { params });
    return { ...reply, problem: { ...reply.problem, current: toStaleObject(now) } };
  },
);

/** A project without the setting may call every model. */
function toStaleObject(now: GatewayReply<ProjectModelPermissions>): StaleObject {
  if (now.ok) return { state: "changed", object: now.data };
  return now.problem.code === "not_found"
    ? { state: "changed", object: everyModel }
    : { state: "unreadable" };
}
