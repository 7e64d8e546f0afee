"use server";

import * as z from "zod/mini";
import { defineAction } from "@/lib/console/actions/define-action";
import { ifMatch, knownVersion } from "@/lib/console/actions/if-match";
import { callGateway } from "@/lib/console/gateway/gateway-client";
import type { GatewayReply, StaleObject } from "@/lib/console/gateway/problem";
import { modelMode } from "./model-form-schemas";
import { everyModel, type ProjectModelPermissions } from "./project-model-permissions";

const saveInput = z.strictObject({
  projectId: z.string(),
  mode: modelMode,
  modelIds: z.array(z.string()),
  version: knownVersion,
});

/** Saves which models a project can call. "All models" is saved by deleting the setting. */
export const saveProjectModels = defineAction(
  saveInput,
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
