import * as z from "zod/mini";
import { defineOperations } from "../../operation";
import { displayName, pageQuery, pageSchema, unixSeconds } from "../../schema";
import { markUnversioned, withVersion } from "../../version";
import { rateLimitChange } from "./rate-limits";

/** The projects of one request that begin or stop to follow a plan. */
const MAX_FOLLOWERS = 10_000;

/** A named set of limits by model, which projects follow where they set none by hand. */
export const rateLimitPlan = withVersion(
  z.object({
    object: z.literal("rate_limit.plan"),
    id: z.string(),
    name: z.string(),
    created_at: unixSeconds,
    /** What it sets. Everything else follows the model's defaults. `POST …/rate_limits/changes` changes it. */
    limits: z.array(
      z.object({
        /** Null for every model that the plan doesn't name, and for the limits that it doesn't set of those. */
        model: z.nullable(z.string()),
        ...rateLimitChange.shape,
      }),
    ),
    /** The number of projects that follow it, archived ones excepted. */
    projects: markUnversioned(z.int()),
  }),
);
export type LimitPlanObject = z.output<typeof rateLimitPlan>;

export const limitPlanDraft = z.strictObject({ name: displayName });

const projectIds = z.array(z.string()).check(z.maxLength(MAX_FOLLOWERS));

const followers = z
  .strictObject({
    /** Projects that follow the plan from now on, in the place of any other. */
    add: z.optional(projectIds),
    /** Projects that follow no plan from now on. Those that don't follow this one stay as they are. */
    remove: z.optional(projectIds),
  })
  .check(
    z.refine(({ add = [], remove = [] }) => add.length + remove.length > 0, {
      message: "must name at least one project to add or remove",
    }),
    z.refine(({ add = [], remove = [] }) => !add.some((id) => remove.includes(id)), {
      message: "must not add and remove the same project",
    }),
  );

const deletion = z.strictObject({
  /** The plan that its projects follow then, or `defaults`. Needed while a project follows it. */
  move_to: z.optional(z.string()),
});

const readBy = { permission: "api.rate_limits.read", scope: "any project" } as const;

export const rateLimitPlanOperations = defineOperations(
  { surface: "v1 and origin", scope: "organization" },
  {
    listRateLimitPlans: {
      method: "GET",
      path: "/organization/rate_limits/plans",
      ...readBy,
      summary: "Lists the plans: named sets of rate limits that projects follow.",
      query: pageQuery,
      reply: pageSchema(rateLimitPlan),
    },
    createRateLimitPlan: {
      method: "POST",
      effect: "creates",
      path: "/organization/rate_limits/plans",
      permission: "api.rate_limits.write",
      summary: "Creates a plan without limits. Its name is unique.",
      body: limitPlanDraft,
      reply: rateLimitPlan,
    },
    retrieveRateLimitPlan: {
      method: "GET",
      path: "/organization/rate_limits/plans/{plan_id}",
      ...readBy,
      summary: "Returns a plan.",
      reply: rateLimitPlan,
    },
    changeRateLimitPlan: {
      method: "POST",
      effect: "edits",
      path: "/organization/rate_limits/plans/{plan_id}",
      permission: "api.rate_limits.write",
      summary: "Renames a plan.",
      body: limitPlanDraft,
      reply: rateLimitPlan,
    },
    deleteRateLimitPlan: {
      method: "DELETE",
      effect: "deletes",
      path: "/organization/rate_limits/plans/{plan_id}",
      permission: "api.rate_limits.write",
      summary: "Deletes a plan. Its projects move to another plan or to the defaults, as `move_to` says.",
      query: deletion,
      reply: z.object({
        object: z.literal("rate_limit.plan.deleted"),
        id: z.string(),
        deleted: z.literal(true),
      }),
    },
    changeRateLimitPlanProjects: {
      method: "POST",
      effect: "acts",
      path: "/organization/rate_limits/plans/{plan_id}/projects",
      permission: "api.rate_limits.write",
      summary:
        "Lets projects follow a plan, or stop to: their limits change at once, except for those set by hand.",
      body: followers,
      reply: rateLimitPlan,
    },
  },
);
