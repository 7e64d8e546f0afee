"use server";

import * as z from "zod/mini";
import { action } from "@/lib/console/action";
import { callGateway } from "@/lib/console/gateway-client";
import { ifMatch, knownVersion } from "@/lib/console/if-match";
import type { GatewayReply } from "@/lib/console/problem";
import { everyModel, type ModelChoice, modelMode } from "./model-choice";

const saving = z.strictObject({
  projectId: z.string(),
  mode: modelMode,
  modelIds: z.array(z.string()),
  version: knownVersion,
});

/** Which models a project may call; every one where nothing is kept of it. */
export const saveProjectModels = action(
  saving,
  async ({ projectId, mode, modelIds, version }): Promise<GatewayReply<ModelChoice>> => {
    const params = { project_id: projectId };
    if (mode !== "all") {
      const body = { mode, model_ids: modelIds };
      return callGateway("saveModelPermissions", { params, body, headers: ifMatch(version) });
    }
    const reply = await callGateway("deleteModelPermissions", { params, headers: ifMatch(version) });
    if (reply.ok) return { ...reply, data: everyModel };
    if (reply.problem.code !== "stale") return reply;
    // A refused delete doesn't bring what is there now, and a save is compared with it.
    const now = await callGateway("retrieveModelPermissions", { params });
    return { ...reply, problem: { ...reply.problem, current: now.ok ? now.data : everyModel } };
  },
);
