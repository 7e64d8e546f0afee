import { editLimits, type RateLimitValues } from "@/lib/contract/calls/rate-limit-table";
import { readRateLimitModel } from "@/lib/contract/ids";
import type { LimitEdit } from "@/lib/contract/operations/models/rate-limits";
import { type ChangeContext, type ChangeRequest, change } from "../changes/change";
import type { TableCache } from "../changes/table-cache";
import type { Transaction } from "../changes/transactions.sql";
import type { ClockAndRandom } from "../clock";
import { notFound, Refusal } from "../refusal";
import { type LimitApprovalStore, listRaised } from "./limit-approval-store.sql";
import { EVERY_MODEL, type LimitPlan, type LimitPlanStore } from "./limit-plan-store.sql";
import type { OwnLimits, RateLimitStore } from "./rate-limit-store.sql";

const NONE: OwnLimits = {};

/** The saved limits in memory, so that a call needs no lookup in the store. */
export class RateLimitCache {
  #byProject = new Map<string, Map<string, CachedLimits>>();

  constructor(private readonly plans = new LimitPlanCache()) {}

  /** The effective limits: those set by hand, else those of the project's plan, else the model's defaults. */
  effectiveLimits(projectId: string, model: LimitedModel): RateLimitValues {
    const base = this.plans.baseLimits(projectId, model);
    return this.#byProject.get(projectId)?.get(model.id)?.over(base) ?? base;
  }

  /** What the limits would be if none was set by hand. */
  baseLimits(projectId: string, model: LimitedModel): RateLimitValues {
    return this.plans.baseLimits(projectId, model);
  }

  /** The id of the plan that a project follows; null if it follows none. */
  planOf(projectId: string): string | null {
    return this.plans.planOf(projectId)?.id ?? null;
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
  readonly rateLimitCache: Pick<RateLimitCache, "baseLimits" | "effectiveLimits">;
  readonly limitApprovals: Pick<LimitApprovalStore, "bounds">;
  readonly catalogue: { find(id: string): LimitedModel | undefined };
  readonly runtime: ClockAndRandom;
}

/**
 * Changes a model's limits in a project within a change under way. Absent fields stay.
 * @returns the limits as they are then.
 */
export async function setLimits(
  {
    rateLimits,
    rateLimitCache,
    runtime,
  }: Pick<RateLimitContext, "rateLimits" | "rateLimitCache" | "runtime">,
  transaction: Transaction,
  { projectId, model: limited }: { projectId: string; model: LimitedModel },
  edit: LimitEdit,
): Promise<RateLimitValues> {
  // Read from the store, since the cache of a change that the gateway makes by itself may be behind.
  const own = editLimits((await rateLimits.find(projectId, limited.id))?.own ?? NONE, edit);
  const values = { ...rateLimitCache.baseLimits(projectId, limited), ...own };
  await rateLimits.save(transaction, [{ projectId, model: limited.id, own, values }], runtime.clock.nowMs());
  return values;
}

/** @throws Refusal 403 for a limit that rises above a bound: it waits for a second person in a draft. */
async function refuseAbove(
  { limitApprovals, rateLimitCache }: Pick<RateLimitContext, "limitApprovals" | "rateLimitCache">,
  projectId: string,
  model: LimitedModel,
  edit: LimitEdit,
): Promise<void> {
  const bounds = await limitApprovals.bounds();
  const present = rateLimitCache.effectiveLimits(projectId, model);
  const [field] = listRaised(bounds, edit, present);
  if (!field) return;
  const message = `${field} above ${bounds[field]} needs a second person: ask with POST /v1/organization/rate_limits/drafts.`;
  throw new Refusal(403, "permission_error", "needs_second_person", message, { param: field });
}

/**
 * Changes a model's limits in a project. Absent fields stay; the change applies from the next call on.
 * @throws Refusal 403 for a limit that needs a second person; 404.
 */
export function saveRateLimit(
  context: RateLimitContext,
  request: ChangeRequest,
  { projectId, rateLimitId }: { projectId: string; rateLimitId: string },
  edit: LimitEdit,
): Promise<{ readonly model: string; readonly values: RateLimitValues }> {
  return change(context, request, async (transaction) => {
    const model = findLimitedModel(context.catalogue, rateLimitId);
    await refuseAbove(context, projectId, model, edit);
    return { model: model.id, values: await setLimits(context, transaction, { projectId, model }, edit) };
  });
}

/** The fields of a model that its limits depend on. */
export interface LimitedModel {
  readonly id: string;
  readonly defaultRateLimits: RateLimitValues;
}

/** Limits over those that they depart from, computed again only once these have changed. */
class CachedLimits {
  #base: RateLimitValues | null = null;
  #effective: RateLimitValues | null = null;

  constructor(readonly own: OwnLimits) {}

  over(base: RateLimitValues): RateLimitValues {
    if (this.#effective && this.#base === base) return this.#effective;
    this.#base = base;
    this.#effective = { ...base, ...this.own };
    return this.#effective;
  }
}

/** What a plan sets for a model. */
function planLimitsOf({ limits }: Pick<LimitPlan, "limits">, model: string): OwnLimits {
  return { ...limits.get(EVERY_MODEL), ...limits.get(model) };
}

/** The plans in memory, and which one each project follows. */
export class LimitPlanCache {
  #byId = new Map<string, { readonly plan: LimitPlan; readonly byModel: Map<string, CachedLimits> }>();
  #followed = new Map<string, string>();

  find(id: string): LimitPlan | undefined {
    return this.#byId.get(id)?.plan;
  }

  /** Oldest first. */
  list(): LimitPlan[] {
    return [...this.#byId.values()].map(({ plan }) => plan);
  }

  /** The plan that a project follows. */
  planOf(projectId: string): LimitPlan | undefined {
    return this.find(this.#followed.get(projectId) ?? "");
  }

  /** The ids of the projects that follow a plan. */
  listFollowers(planId: string): string[] {
    return [...this.#followed].flatMap(([projectId, followed]) => (followed === planId ? projectId : []));
  }

  /** The limits of a project that sets none by hand. */
  baseLimits(projectId: string, model: LimitedModel): RateLimitValues {
    const followed = this.#followed.get(projectId);
    const known = followed === undefined ? undefined : this.#byId.get(followed);
    if (!known) return model.defaultRateLimits;
    const cached = known.byModel.get(model.id) ?? new CachedLimits(planLimitsOf(known.plan, model.id));
    known.byModel.set(model.id, cached);
    return cached.over(model.defaultRateLimits);
  }

  following(store: LimitPlanStore): TableCache {
    const reread = async ({ id }: { readonly id: string }) => this.#put(id, await store.find(id));
    return {
      load: async () => {
        const [plans, followers] = [await store.list(), await store.listFollowers()];
        this.#byId = new Map();
        for (const plan of plans) this.#put(plan.id, plan);
        this.#followed = new Map(followers.map(({ projectId, planId }) => [projectId, planId]));
      },
      reread: {
        limit_plans: reread,
        limit_plan_limits: reread,
        limit_plan_projects: async ({ projectId }) => {
          if (projectId === null) return;
          const planId = await store.findFollowed(projectId);
          if (planId === null) this.#followed.delete(projectId);
          else this.#followed.set(projectId, planId);
        },
      },
    };
  }

  #put(id: string, plan: LimitPlan | null): void {
    if (plan) this.#byId.set(id, { plan, byModel: new Map() });
    else this.#byId.delete(id);
  }
}
