"use server";

import { setTimeout } from "node:timers/promises";
import * as z from "zod/mini";
import { defineAction, defineCreateAction } from "@/lib/console/actions/define-action";
import { ifMatch, knownVersion } from "@/lib/console/actions/if-match";
import { callGateway } from "@/lib/console/gateway/gateway-client";
import { sendRequest } from "@/lib/console/gateway/send-request";
import { defineStreamingAction, type ProblemEvent } from "@/lib/console/streaming/define-streaming-action";
import { MINUTE_MS } from "@/lib/contract/durations";
import { operations } from "@/lib/contract/operation-table";
import { limitApprovalDraft } from "@/lib/contract/operations/models/rate-limit-approvals";
import { limitChangesDraft } from "@/lib/contract/operations/models/rate-limit-changes";
import { limitPlanDraft } from "@/lib/contract/operations/models/rate-limit-plans";
import {
  type LimitProof,
  limitProofRequest,
  type RunningLimitProof,
} from "@/lib/contract/operations/models/rate-limit-proofs";
import { type LimitReplay, limitReplayRequest } from "@/lib/contract/operations/models/rate-limit-replay";
import { rateLimitChange } from "@/lib/contract/operations/models/rate-limits";

type ReplayEvent =
  | { readonly type: "progress"; readonly percent: number }
  | { readonly type: "replay"; readonly replay: LimitReplay }
  | ProblemEvent;

const saveInput = z.strictObject({
  projectId: z.string(),
  rateLimitId: z.string(),
  change: rateLimitChange,
  version: knownVersion,
});

export const saveRateLimit = defineAction(saveInput, ({ projectId, rateLimitId, change, version }) =>
  callGateway("saveRateLimit", {
    params: { project_id: projectId, rate_limit_id: rateLimitId },
    body: change,
    headers: ifMatch(version),
  }),
);

/** Saves changes of many pairs, all or none. */
export const saveLimitChanges = defineCreateAction(limitChangesDraft, (body, headers) =>
  callGateway("createRateLimitChanges", { body, headers }),
);

/** A month of calls takes longer than other replies. */
const REPLAY_MS = 2 * MINUTE_MS;
/** How often it is asked how far it is. */
const LOOK_MS = 500;

/** What the changes would have done to the calls of the last days. A stream, so that it can be stopped. */
export const replayLimitChanges = defineStreamingAction(
  limitReplayRequest,
  async function* (body, connection, signal): AsyncGenerator<ReplayEvent> {
    const progress_id = crypto.randomUUID();
    const asked = { body: { ...body, progress_id }, signal, timeoutMs: REPLAY_MS };
    const replaying = sendRequest(connection, operations.replayRateLimits, asked);
    for (;;) {
      const reply = await Promise.race([replaying, setTimeout(LOOK_MS, null)]);
      if (reply?.ok) return yield { type: "replay", replay: reply.data };
      if (reply) return yield { type: "problem", problem: reply.problem };
      const read = await sendRequest(connection, operations.retrieveReplayProgress, {
        query: { progress_id },
        signal,
      });
      if (read.ok && read.data.percent !== null) yield { type: "progress", percent: read.data.percent };
    }
  },
);

type ProofEvent =
  | { readonly type: "progress"; readonly running: NonNullable<RunningLimitProof["running"]> }
  | { readonly type: "proof"; readonly proof: LimitProof }
  | ProblemEvent;

const PROGRESS_MS = 250;
/** Its calls are sent for less than a minute. */
const PROOF_MS = 2 * MINUTE_MS;
const proofInput = z.extend(limitProofRequest, { projectId: z.string(), rateLimitId: z.string() });

/** Proves a saved limit with calls of the sandbox, and says how far it has come. */
export const proveRateLimit = defineStreamingAction(
  proofInput,
  async function* ({ projectId, rateLimitId, field }, connection, signal): AsyncGenerator<ProofEvent> {
    const params = { project_id: projectId, rate_limit_id: rateLimitId };
    const asked = { params, body: { field }, signal, timeoutMs: PROOF_MS };
    const proving = sendRequest(connection, operations.proveRateLimit, asked);
    for (;;) {
      const reply = await Promise.race([proving, setTimeout(PROGRESS_MS, null)]);
      if (reply?.ok) return yield { type: "proof", proof: reply.data };
      if (reply) return yield { type: "problem", problem: reply.problem };
      const read = await sendRequest(connection, operations.retrieveRunningRateLimitProof, {
        params,
        signal,
      });
      if (read.ok && read.data.running) yield { type: "progress", running: read.data.running };
    }
  },
);

export const undoLimitChanges = defineAction(z.strictObject({ changesId: z.string() }), ({ changesId }) =>
  callGateway("undoRateLimitChanges", { params: { changes_id: changesId } }),
);

export const createLimitPlan = defineCreateAction(limitPlanDraft, (body, headers) =>
  callGateway("createRateLimitPlan", { body, headers }),
);

const planChange = z.strictObject({ planId: z.string(), version: knownVersion });

export const changeLimitPlan = defineAction(
  z.extend(planChange, { name: z.string() }),
  ({ planId, version, name }) =>
    callGateway("changeRateLimitPlan", {
      params: { plan_id: planId },
      body: { name },
      headers: ifMatch(version),
    }),
);

export const deleteLimitPlan = defineAction(
  z.extend(planChange, { moveTo: z.optional(z.string()) }),
  ({ planId, version, moveTo }) =>
    callGateway("deleteRateLimitPlan", {
      params: { plan_id: planId },
      query: moveTo === undefined ? {} : { move_to: moveTo },
      headers: ifMatch(version),
    }),
);

const following = z.strictObject({
  /** Null to follow none. */
  planId: z.nullable(z.string()),
  /** With the plans that they follow now. */
  projects: z.array(z.strictObject({ id: z.string(), planId: z.nullable(z.string()) })),
});

/** Lets projects follow a plan, in the place of those that they follow. */
export const followLimitPlan = defineAction(following, async ({ planId, projects }) => {
  const change = (plan_id: string, body: { add?: string[]; remove?: string[] }) =>
    callGateway("changeRateLimitPlanProjects", { params: { plan_id }, body });
  if (planId !== null) return change(planId, { add: projects.map(({ id }) => id) });
  const plans = new Set(projects.flatMap((project) => project.planId ?? []));
  for (const plan of plans) {
    const followers = projects.filter((project) => project.planId === plan).map(({ id }) => id);
    const reply = await change(plan, { remove: followers });
    if (!reply.ok) return reply;
  }
  return { ok: true, data: null };
});

/** Asks a second person to approve exactly these changes. */
export const askLimitApproval = defineCreateAction(limitChangesDraft, (body, headers) =>
  callGateway("createRateLimitDraft", { body, headers }),
);

export const approveLimitDraft = defineAction(z.strictObject({ draftId: z.string() }), ({ draftId }) =>
  callGateway("approveRateLimitDraft", { params: { draft_id: draftId } }),
);

export const declineLimitDraft = defineAction(
  z.strictObject({ draftId: z.string(), reason: z.string() }),
  ({ draftId, reason }) =>
    callGateway("declineRateLimitDraft", { params: { draft_id: draftId }, body: { reason } }),
);

export const saveLimitApproval = defineAction(
  z.extend(limitApprovalDraft, { version: knownVersion }),
  ({ above, version }) =>
    callGateway("saveRateLimitApproval", { body: { above }, headers: ifMatch(version) }),
);
