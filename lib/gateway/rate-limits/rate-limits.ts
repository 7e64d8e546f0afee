import { editLimits } from "@/lib/contract/calls/edit-limits";
import type { RateLimitValues } from "@/lib/contract/calls/rate-limit-table";
import { readRateLimitModel } from "@/lib/contract/ids";
import type { LimitEdit } from "@/lib/contract/operations/models/rate-limits";
import { type ChangeContext, type ChangeRequest, change } from "../changes/change";
import type { TableCache } from "../changes/table-cache";
import type { Transaction } from "../changes/transaction";
import type { ClockAndRandom } from "../clock";
import { notFound } from "../refusal";
import type { OwnLimits, RateLimitStore } from "./rate-limit-store.sql";

/** The fields of a model that its limits depend on. */
export interface LimitedModel {
  readonly id: string;
  readonly defaultRateLimits: RateLimitValues;
}

const NONE: OwnLimits = {};

/** The limits of a pair as they are with its model's present defaults, computed again only once these have changed. */
class CachedLimits {
  #defaults: RateLimitValues | null = null;
  #effective: RateLimitValues | null = null;

  constructor(readonly own: OwnLimits) {}

  under(defaults: RateLimitValues): RateLimitValues {
    if (this.#effective && this.#defaults === defaults) return this.#effective;
    this.#defaults = defaults;
    this.#effective = { ...defaults, ...this.own };
    return this.#effective;
  }
}

/** The saved limits in memory, so that a call needs no lookup in the store. */
export class RateLimitCache {
  #byProject = new Map<string, Map<string, CachedLimits>>();

  /** The effective limits: those set by hand and, for the others, the model's defaults. */
  effectiveLimits(projectId: string, model: LimitedModel): RateLimitValues {
    return (
      this.#byProject.get(projectId)?.get(model.id)?.under(model.defaultRateLimits) ?? model.defaultRateLimits
    );
  }

  /** The limits that were set by hand. */
  ownLimits(projectId: string, modelId: string): OwnLimits {
    return this.#byProject.get(projectId)?.get(modelId)?.own ?? NONE;
  }

  following(store: Pick<RateLimitStore, "list" | "findMany">): TableCache {
    return {
      load: async () => {
        const records = await store.list();
        this.#byProject = new Map();
        for (const { projectId, model, own } of records) this.#put(projectId, model, own);
      },
      reread: {},
      rereadMany: {
        rate_limits: async (rows) => {
          const pairs = rows.flatMap(({ id, projectId }) =>
            projectId === null ? [] : [{ projectId, model: readRateLimitModel(id) }],
          );
          const saved = await store.findMany(pairs);
          for (const { projectId, model } of pairs) this.#byProject.get(projectId)?.delete(model);
          for (const { projectId, model, own } of saved) this.#put(projectId, model, own);
        },
      },
    };
  }

  #put(projectId: string, model: string, own: OwnLimits): void {
    const limitsByModel = this.#byProject.get(projectId) ?? new Map<string, CachedLimits>();
    limitsByModel.set(model, new CachedLimits(own));
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
 * Changes a model's limits in a project within a change under way. Absent fields stay.
 * @returns the limits as they are then.
 */
export async function setLimits(
  { rateLimits, runtime }: Pick<RateLimitContext, "rateLimits" | "runtime">,
  transaction: Transaction,
  { projectId, model: { id: model, defaultRateLimits } }: { projectId: string; model: LimitedModel },
  edit: LimitEdit,
): Promise<RateLimitValues> {
  // Read from the store, since the cache of a change that the gateway makes by itself may be behind.
  const own = editLimits((await rateLimits.find(projectId, model))?.own ?? NONE, edit);
  const values = { ...defaultRateLimits, ...own };
  await rateLimits.save(transaction, [{ projectId, model, own, values }], runtime.clock.nowMs());
  return values;
}

/**
 * Changes a model's limits in a project. Absent fields stay; the change applies from the next call on.
 * @throws Refusal 404.
 */
export function saveRateLimit(
  context: RateLimitContext,
  request: ChangeRequest,
  { projectId, rateLimitId }: { projectId: string; rateLimitId: string },
  edit: LimitEdit,
): Promise<{ readonly model: string; readonly values: RateLimitValues }> {
  return change(context, request, async (transaction) => {
    const model = findLimitedModel(context.catalogue, rateLimitId);
    return { model: model.id, values: await setLimits(context, transaction, { projectId, model }, edit) };
  });
}
