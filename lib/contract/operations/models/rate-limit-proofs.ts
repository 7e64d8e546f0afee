import * as z from "zod/mini";
import { defineOperations } from "../../operation";
import { decimal, unixSeconds } from "../../schema";
import { limitField } from "./rate-limits";

const count = z.int().check(z.minimum(0));

/** The most calls of a proof, and how long they are sent at most. */
export const proofBounds = { calls: 2_000, seconds: 50 };

export const limitProofRequest = z.strictObject({ field: limitField });

const counts = {
  model: z.string(),
  field: limitField,
  limit: count,
  started_at: unixSeconds,
  admitted: count,
  refused: count,
};

const proof = z.object({
  object: z.literal("project.rate_limit.proof"),
  ...counts,
  /**
   * `held`: the limit refused what was beyond it, and nothing before. `exceeded`: more was admitted than it allows.
   * `not_reached`: it refused nothing, because another check refused first or the time was over.
   */
  verdict: z.enum(["held", "exceeded", "not_reached"]),
  took_ms: count,
  /** What the admitted calls counted as in the limit: requests, tokens, images or megabytes. */
  admitted_amount: count,
  /** What refused: limits by their fields, other checks by their codes. The first that each refused has a receipt. */
  refused_by: z.array(z.object({ code: z.string(), calls: count, first_request_id: z.string() })),
  /** What the ledger has for these calls at their end. */
  ledger: z.object({ held: decimal, held_calls: count, charged: decimal }),
  /** Where the calls are logged: an archived project, and a key in it that is revoked. */
  scratch: z.object({ project_id: z.string(), key_id: z.string(), model: z.string() }),
});
export type LimitProof = z.output<typeof proof>;

const runningProof = z.object({
  object: z.literal("project.rate_limit.running_proof"),
  /** Null if this gateway is proving no limit of this project and model. */
  running: z.nullable(z.object({ ...counts, calls: count })),
});
export type RunningLimitProof = z.output<typeof runningProof>;

export const rateLimitProofOperations = defineOperations(
  { surface: "v1 and origin", scope: "project" },
  {
    proveRateLimit: {
      method: "POST",
      effect: "acts",
      path: "/organization/projects/{project_id}/rate_limits/{rate_limit_id}/prove",
      permission: "api.rate_limits.write",
      summary:
        "Sends up to 2,000 calls of the sandbox at once against the saved limits, in a project of their own, and says what was admitted and refused. They cost nothing and don't count in the project's limits. One proof at a time.",
      body: limitProofRequest,
      reply: proof,
    },
    retrieveRunningRateLimitProof: {
      method: "GET",
      path: "/organization/projects/{project_id}/rate_limits/{rate_limit_id}/running_proof",
      permission: "api.rate_limits.read",
      summary: "Returns how far the proof of a limit has come in the gateway that answers.",
      reply: runningProof,
    },
  },
);
