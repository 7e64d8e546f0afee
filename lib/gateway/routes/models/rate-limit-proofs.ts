import type { LimitProof as ProofReply } from "@/lib/contract/operations/models/rate-limit-proofs";
import { formatAmount } from "@/lib/money/amount";
import { toKeyCreator } from "../../access/caller";
import {
  type LimitProof,
  type LimitProofContext,
  newCounts,
  PROVING_MODEL,
  type ProofCounts,
  type ProofPlan,
  planProof,
  proveLimit,
} from "../../calls/limit-proof";
import { toUnixSeconds } from "../../clock";
import type { Catalogue } from "../../models/catalogue";
import type { ProjectStore } from "../../projects/project-store.sql";
import { findProject, refuseArchived } from "../../projects/projects";
import { findLimitedModel, type RateLimitCache } from "../../rate-limits/rate-limits";
import type { Handlers } from "../handler";

interface Context extends LimitProofContext {
  readonly projects: ProjectStore;
  readonly catalogue: Catalogue;
  readonly rateLimitCache: Pick<RateLimitCache, "effectiveLimits">;
}

interface RunningProof {
  readonly projectId: string;
  readonly model: string;
  readonly plan: ProofPlan;
  readonly startedAtMs: number;
  readonly counts: ProofCounts;
}

export function rateLimitProofRoutes(
  context: Context,
): Handlers<"proveRateLimit" | "retrieveRunningRateLimitProof"> {
  const running = new Set<RunningProof>();
  return {
    proveRateLimit: async ({ params, body: { field }, caller, request, signal }) => {
      const project = await findProject(context.projects, params.project_id);
      refuseArchived(project);
      const model = findLimitedModel(context.catalogue, params.rate_limit_id);
      const limits = context.rateLimitCache.effectiveLimits(project.id, model);
      const plan = planProof(field, limits, model.family);
      const startedAtMs = context.runtime.clock.nowMs();
      const proof = { projectId: project.id, model: model.id, plan, startedAtMs, counts: newCounts() };
      running.add(proof);
      try {
        const creator = toKeyCreator(caller);
        return describeProof(
          proof,
          await proveLimit(context, request, { plan, creator, counts: proof.counts, signal }),
        );
      } finally {
        running.delete(proof);
      }
    },
    retrieveRunningRateLimitProof: async ({ params }) => {
      const model = findLimitedModel(context.catalogue, params.rate_limit_id);
      const proof = [...running].find(
        ({ projectId, model: id }) => projectId === params.project_id && id === model.id,
      );
      return {
        object: "project.rate_limit.running_proof",
        running: proof ? { ...describeCounts(proof), calls: proof.plan.calls } : null,
      };
    },
  };
}

function describeCounts({ model, plan: { field, limit }, startedAtMs, counts }: RunningProof) {
  const { admitted, refused } = counts;
  return { model, field, limit, started_at: toUnixSeconds(startedAtMs), admitted, refused };
}

function describeProof(running: RunningProof, proof: LimitProof): ProofReply {
  const { held, holds, charged } = proof.ledger;
  return {
    object: "project.rate_limit.proof",
    ...describeCounts(running),
    verdict: findVerdict(running.plan, proof),
    took_ms: proof.tookMs,
    admitted_amount: proof.amount,
    refused_by: [...proof.refusedBy].map(([code, { calls, firstRequestId }]) => ({
      code,
      calls,
      first_request_id: firstRequestId,
    })),
    ledger: { held: formatAmount(held), held_calls: holds, charged: formatAmount(charged) },
    scratch: { project_id: proof.key.projectId, key_id: proof.key.id, model: PROVING_MODEL },
  };
}

function findVerdict(
  { field, limit, perCall }: ProofPlan,
  { amount, refusedBy }: ProofCounts,
): ProofReply["verdict"] {
  if (amount > limit) return "exceeded";
  // A limit that refuses while a further call fits into it refuses too early.
  return refusedBy.has(field) && amount + perCall > limit ? "held" : "not_reached";
}
