import type { RateLimitValues } from "@/lib/contract/calls/rate-limit-table";
import type { TableCache } from "../changes/table-cache";
import { EVERY_MODEL, type LimitPlan, type LimitPlanStore } from "./limit-plan-store.sql";
import type { OwnLimits } from "./rate-limit-store.sql";

/** The fields of a model that its limits depend on. */
export interface LimitedModel {
  readonly id: string;
  readonly defaultRateLimits: RateLimitValues;
}

/** Limits over those that they depart from, computed again only once these have changed. */
export class CachedLimits {
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
