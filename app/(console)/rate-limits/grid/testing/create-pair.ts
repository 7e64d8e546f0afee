import type { ModelFamily } from "@/lib/contract/calls/model-families";
import {
  builtInRateLimits,
  type RateLimitField,
  type RateLimitValues,
} from "@/lib/contract/calls/rate-limit-table";
import { type LimitPair, pairKey } from "../limit-pair";

/** A pair with the built-in defaults, and some limits set by hand. */
export function createPair(
  project: string,
  model: string,
  own: Partial<RateLimitValues> = {},
  family: ModelFamily = "chat",
): LimitPair {
  const projectId = `proj_${project.toLowerCase()}`;
  return {
    kind: "project",
    plan: null,
    key: pairKey(projectId, model),
    projectId,
    projectName: project,
    model,
    family,
    providers: ["openai"],
    sandbox: false,
    limits: { ...builtInRateLimits, ...own },
    ownFields: Object.keys(own) as RateLimitField[],
    defaults: builtInRateLimits,
    version: "v1",
    isLocked: false,
  };
}
