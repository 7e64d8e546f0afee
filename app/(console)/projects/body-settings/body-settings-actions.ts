"use server";

import * as z from "zod/mini";
import { defineAction } from "@/lib/console/actions/define-action";
import { ifMatch, knownVersion } from "@/lib/console/actions/if-match";
import { callGateway } from "@/lib/console/gateway/gateway-client";
import type { GatewayReply } from "@/lib/console/gateway/problem";
import { type BodySettings, bodySettingsDraft } from "@/lib/contract/operations/calls/request-bodies";

const saveInput = z.strictObject({
  projectId: z.string(),
  settings: bodySettingsDraft,
  version: knownVersion,
});

/**
 * Saves which prompts and answers a project stores. An error about one pattern is shown at the field for all patterns.
 */
export const saveBodySettings = defineAction(
  saveInput,
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
