import type { RateLimitChange } from "@/lib/contract/operations/rate-limits";
import type { RateLimitValues } from "@/lib/contract/rate-limit-table";
import type { Effects } from "../ports/effects";
import type { LimitBook, LimitedModel } from "./limit-book";
import type { RateLimitStore } from "./rate-limit-store";

/** Changes a model's limits in a project. Absent fields stay; the next call is limited by the result. */
export async function saveRateLimit(
  { rateLimits, limitBook, effects }: { rateLimits: RateLimitStore; limitBook: LimitBook; effects: Effects },
  projectId: string,
  model: LimitedModel,
  change: RateLimitChange,
): Promise<RateLimitValues> {
  const values = await rateLimits.save({
    projectId,
    model: model.id,
    change,
    defaults: model.defaultRateLimits,
    updatedAtMs: effects.clock.nowMs(),
  });
  limitBook.put({ projectId, model: model.id, values });
  return values;
}
