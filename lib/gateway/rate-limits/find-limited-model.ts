import { readRateLimitModel } from "@/lib/contract/ids";
import { notFound } from "../refusal";
import type { LimitedModel } from "./rate-limit-mirror";

/**
 * The model of a rate limit's id: `rl_<model>`, or the model's own id, even one that begins with `rl_`.
 * @throws Refusal 404.
 */
export function findLimitedModel<Model extends LimitedModel>(
  catalogue: { find(id: string): Model | undefined },
  rateLimitId: string,
): Model {
  const model = catalogue.find(readRateLimitModel(rateLimitId)) ?? catalogue.find(rateLimitId);
  if (!model) throw notFound("rate limit", rateLimitId, "rate_limit_id");
  return model;
}
