import type { RateLimitChange } from "@/lib/contract/operations/models/rate-limits";
import { type ChangeContext, type ChangeRequest, change } from "../changes/change";
import type { Effects } from "../effects";
import { findLimitedModel } from "./find-limited-model";
import type { LimitedModel } from "./rate-limit-mirror";
import type { RateLimitStore, SavedRateLimit } from "./rate-limit-store";

export interface RateLimitContext extends ChangeContext {
  readonly rateLimits: RateLimitStore;
  readonly catalogue: { find(id: string): LimitedModel | undefined };
  readonly effects: Effects;
}

/**
 * Changes a model's limits in a project. Absent fields stay; the change applies from the next call on.
 * @throws Refusal 404.
 */
export function saveRateLimit(
  context: RateLimitContext,
  request: ChangeRequest,
  { projectId, rateLimitId }: { projectId: string; rateLimitId: string },
  rateLimitChange: RateLimitChange,
): Promise<SavedRateLimit> {
  const { rateLimits, catalogue, effects } = context;
  return change(context, request, async (transaction) => {
    const { id: model, defaultRateLimits: defaults } = findLimitedModel(catalogue, rateLimitId);
    const updatedAtMs = effects.clock.nowMs();
    const limit = { projectId, model, change: rateLimitChange, defaults, updatedAtMs };
    return { projectId, model, values: await rateLimits.save(transaction, limit) };
  });
}
