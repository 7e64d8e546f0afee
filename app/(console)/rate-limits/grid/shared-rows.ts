import type { RateLimitValues } from "@/lib/contract/calls/rate-limit-table";
import { rateLimitFields } from "@/lib/contract/calls/rate-limit-table";
import type { OrganizationModel } from "@/lib/contract/operations/models/models";
import type { RateLimitDefault } from "@/lib/contract/operations/models/rate-limit-defaults";
import type { LimitPlanObject } from "@/lib/contract/operations/models/rate-limit-plans";
import { DEFAULTS, type LimitPair, pairKey, targetKey } from "./limit-pair";

type Own = Partial<RateLimitValues>;

/** What projects follow, as the gateway lists it. */
interface SharedLimits {
  readonly models: readonly OrganizationModel[];
  readonly defaults: readonly RateLimitDefault[];
  readonly plans: readonly LimitPlanObject[];
}

/** What a plan sets for a model, beside what it sets for every one. */
export function readPlanLimits({ limits }: LimitPlanObject, model: string): Own {
  const find = (named: string | null): Own => {
    const { model: _, ...own } = limits.find((entry) => entry.model === named) ?? { model: null };
    return own;
  };
  return { ...find(null), ...(model !== "" && find(model)) };
}

/** The rows of the defaults, and then those of each plan: that of every model first. */
export function listSharedRows({ models, defaults, plans }: SharedLimits, isLocked: boolean): LimitPair[] {
  const byId = new Map(models.map((model) => [model.id, model]));
  const ofModel = (id: string) => {
    const model = byId.get(id);
    return {
      model: id,
      family: model?.family ?? null,
      providers: model?.routes.map(({ provider }) => provider) ?? [],
      sandbox: model?.sandbox ?? false,
      plan: null,
      isLocked,
    };
  };
  const every = defaults.find(({ model }) => model === null);
  const ofDefaults = defaults.map(
    (limits): LimitPair => ({
      ...ofModel(limits.model ?? ""),
      kind: "default",
      key: targetKey({ default_id: limits.id }),
      projectId: DEFAULTS,
      projectName: "Defaults",
      limits,
      ownFields: limits.own_fields,
      defaults: limits.inherited,
      version: limits.version,
    }),
  );
  const ofPlan = (plan: LimitPlanObject, id: string): LimitPair[] => {
    const base = id === "" ? every : byId.get(id)?.default_rate_limits;
    if (!base) return [];
    const inherited = id === "" ? base : { ...base, ...readPlanLimits(plan, "") };
    const { model: _, ...own } = plan.limits.find(({ model }) => model === (id || null)) ?? { model: null };
    return [
      {
        ...ofModel(id),
        kind: "plan",
        key: pairKey(plan.id, id),
        projectId: plan.id,
        projectName: plan.name,
        limits: { ...inherited, ...own },
        ownFields: rateLimitFields.filter((field) => own[field] !== undefined),
        defaults: inherited,
        version: plan.version,
      },
    ];
  };
  const ids = ["", ...models.map(({ id }) => id)];
  return [...ofDefaults, ...plans.flatMap((plan) => ids.flatMap((id) => ofPlan(plan, id)))];
}
