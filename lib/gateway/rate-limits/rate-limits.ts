import type { RateLimitValues } from "@/lib/contract/calls/rate-limit-table";
import { readRateLimitModel } from "@/lib/contract/ids";
import type { RateLimitChange } from "@/lib/contract/operations/models/rate-limits";
import { type ChangeContext, type ChangeRequest, change } from "../changes/change";
import type { TableCache } from "../changes/table-cache";
import type { ClockAndRandom } from "../clock";
import { notFound } from "../refusal";
import type { RateLimitStore, SavedRateLimit } from "./rate-limit-store.sql";

/** The fields of a model that its limits depend on. */
export interface LimitedModel {
  readonly id: string;
  readonly defaultRateLimits: RateLimitValues;
}

/** The saved limits in memory, so that a call needs no lookup in the store. */
export class RateLimitCache {
  #byProject = new Map<string, Map<string, RateLimitValues>>();

  /** The effective limits: the saved ones, or the model's defaults. Does not allocate. */
  effectiveLimits(projectId: string, model: LimitedModel): RateLimitValues {
    return this.#byProject.get(projectId)?.get(model.id) ?? model.defaultRateLimits;
  }

  following(store: Pick<RateLimitStore, "list" | "find">): TableCache {
    return {
      load: async () => {
        const records = await store.list();
        this.#byProject = new Map();
        for (const { projectId, model, values } of records) this.#put(projectId, model, values);
      },
      reread: {
        rate_limits: async ({ id, projectId }) => {
          const model = readRateLimitModel(id);
          if (projectId !== null) this.#put(projectId, model, await store.find(projectId, model));
        },
      },
    };
  }

  #put(projectId: string, model: string, values: RateLimitValues | null): void {
    const limitsByModel = this.#byProject.get(projectId) ?? new Map<string, RateLimitValues>();
    if (values) limitsByModel.set(model, values);
    else limitsByModel.delete(model);
    this.#byProject.set(projectId, limitsByModel);
  }
}

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

export interface RateLimitContext extends ChangeContext {
  readonly rateLimits: RateLimitStore;
  readonly catalogue: { find(id: string): LimitedModel | undefined };
  readonly runtime: ClockAndRandom;
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
  const { rateLimits, catalogue, runtime } = context;
  return change(context, request, async (transaction) => {
    const { id: model, defaultRateLimits: defaults } = findLimitedModel(catalogue, rateLimitId);
    const updatedAtMs = runtime.clock.nowMs();
    const limit = { projectId, model, change: rateLimitChange, defaults, updatedAtMs };
    return { projectId, model, values: await rateLimits.save(transaction, limit) };
  });
}
