import type { OrganizationModel } from "@/lib/contract/operations/models";
import type { RateLimit } from "@/lib/contract/operations/rate-limits";
import { rateLimitFields } from "@/lib/contract/rate-limit-table";

/** Returns a limit of the project that differs from its model's default. */
export function findChangedLimit(
  limits: readonly RateLimit[],
  models: readonly OrganizationModel[],
): RateLimit | undefined {
  const defaults = new Map(models.map((model) => [model.id, model.default_rate_limits]));
  return limits.find((limit) => {
    const first = defaults.get(limit.model);
    return first !== undefined && rateLimitFields.some((field) => limit[field] !== first[field]);
  });
}
