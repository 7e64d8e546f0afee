import { listInMemory } from "../../lists/paged-list";
import {
  changeFollowers,
  createPlan,
  deletePlan,
  describePlan,
  findPlan,
  type LimitPlanContext,
  renamePlan,
} from "../../rate-limits/limit-plans";
import type { Handlers } from "../handler";
import { paginate } from "../paginate";

type Ids =
  | "listRateLimitPlans"
  | "createRateLimitPlan"
  | "retrieveRateLimitPlan"
  | "changeRateLimitPlan"
  | "deleteRateLimitPlan"
  | "changeRateLimitPlanProjects";

export function rateLimitPlanRoutes(context: LimitPlanContext): Handlers<Ids> {
  return {
    listRateLimitPlans: ({ query }) =>
      paginate(listInMemory(context.limitPlanCache.list()), query, (plan) => describePlan(context, plan)),
    createRateLimitPlan: async ({ body, request }) =>
      describePlan(context, await createPlan(context, request, body.name)),
    retrieveRateLimitPlan: async ({ params }) => describePlan(context, findPlan(context, params.plan_id)),
    changeRateLimitPlan: async ({ params, body, request }) =>
      describePlan(context, await renamePlan(context, request, params.plan_id, body.name)),
    deleteRateLimitPlan: async ({ params, query, request }) => {
      await deletePlan(context, request, params.plan_id, query.move_to);
      return { object: "rate_limit.plan.deleted", id: params.plan_id, deleted: true };
    },
    changeRateLimitPlanProjects: async ({ params, body, request }) =>
      describePlan(context, await changeFollowers(context, request, params.plan_id, body)),
  };
}
