import { EVERY_MODEL, type LimitPlan } from "../../rate-limits/limit-plan-store.sql";
import { invalid } from "../../refusal";
import {
  after,
  type DeclaredObject,
  findNamedProject,
  listActiveProjects,
  projectIn,
  type Section,
  type SettingsView,
} from "../section";
import { toEdit, toLimits } from "./projects";

/** In the place of a model: every one that the plan doesn't name. */
const EVERY = "*";

/** The plans of rate limits. A project whose plan the file leaves out follows no plan afterwards. */
export const limitPlans: Section = {
  part: "limit_plans",
  inside: null,
  reads: ["api.rate_limits.read"],
  isImplicit: false,
  write({ limitPlanCache }, file) {
    file.limit_plans = limitPlanCache.list().map(({ name }) => ({ name }));
  },
  declare: ({ limit_plans: declared = [] }) =>
    declared.map(({ name }) => ({ path: ["limit_plans", name], fields: {} })),
  covers: (file) => () => file.limit_plans !== undefined,
  *calls(view, { kind, path: [, name = ""] }) {
    if (kind === "create") {
      yield { id: "createRateLimitPlan", body: { name } };
      return;
    }
    const params = { plan_id: findNamedPlan(view, name).id };
    const remove = view.limitPlanCache.listFollowers(params.plan_id);
    if (remove.length > 0) yield { id: "changeRateLimitPlanProjects", params, body: { remove } };
    yield { id: "deleteRateLimitPlan", params };
  },
};

/** What each plan sets, by model. */
export const planLimits: Section = {
  part: "limit_plans",
  inside: "rate_limits",
  reads: ["api.rate_limits.read"],
  isImplicit: true,
  write({ limitPlanCache }, file) {
    for (const { name, limits } of limitPlanCache.list()) {
      const entry = file.limit_plans?.find((one) => one.name === name);
      const models = [...limits].toSorted(([one], [other]) => (one < other ? -1 : 1));
      if (!entry || models.length === 0) continue;
      entry.rate_limits = Object.fromEntries(
        models.map(([model, own]) => [model === EVERY_MODEL ? EVERY : model, own]),
      );
    }
  },
  declare: ({ limit_plans: declared = [] }) =>
    declared.flatMap(({ name, rate_limits: limits = {} }) =>
      Object.entries(limits).map(
        ([model, values]): DeclaredObject => ({
          path: ["limit_plans", name, "rate_limits", model],
          fields: toLimits(values),
        }),
      ),
    ),
  covers({ limit_plans: declared = [] }) {
    const names = new Set(declared.filter((one) => one.rate_limits !== undefined).map(({ name }) => name));
    return ([, name = ""]) => names.has(name);
  },
  calls(view, change) {
    const [, name = "", , model = ""] = change.path;
    const target = { plan_id: findNamedPlan(view, name).id, model: model === EVERY ? null : model };
    return [{ id: "createRateLimitChanges", body: { changes: [{ ...target, ...toEdit(change) }] } }];
  },
};

/** The plan that each project follows. */
export const followedPlan: Section = {
  part: "projects",
  inside: "limit_plan",
  reads: ["api.rate_limits.read"],
  isImplicit: true,
  write({ projectCache, limitPlanCache }, file) {
    for (const { id, name } of listActiveProjects(projectCache)) {
      const plan = limitPlanCache.planOf(id);
      if (plan) projectIn(file, name).limit_plan = plan.name;
    }
  },
  declare: ({ projects: declared = [] }) =>
    declared.flatMap(({ name, limit_plan: plan }) =>
      plan === undefined
        ? []
        : [{ path: ["projects", name, "limit_plan"], fields: plan === null ? {} : { limit_plan: plan } }],
    ),
  covers: () => () => false,
  calls(view, change) {
    const { id } = findNamedProject(view, change.path[1] ?? "");
    const { limit_plan: name = null } = after(change) as { limit_plan?: string | null };
    const plan = name === null ? view.limitPlanCache.planOf(id) : findNamedPlan(view, name);
    // Its plan was removed before it.
    if (!plan) return [];
    const body = name === null ? { remove: [id] } : { add: [id] };
    return [{ id: "changeRateLimitPlanProjects", params: { plan_id: plan.id }, body }];
  },
};

/** @throws Refusal 400. */
function findNamedPlan({ limitPlanCache }: SettingsView, name: string): LimitPlan {
  const plan = limitPlanCache.list().find((one) => one.name === name);
  if (!plan)
    throw invalid("limit_plan", `There is no plan of rate limits "${name}": add it under limit_plans.`);
  return plan;
}
