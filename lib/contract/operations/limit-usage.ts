import * as z from "zod/mini";
import { defineOperation } from "../operation";
import { type RateLimitField, rateLimitFields } from "../rate-limit-table";
import { pageOf, pageQuery, queryFlag } from "../schema";

const count = z.int().check(z.minimum(0));

const usedLimit = z.object({
  field: z.enum(rateLimitFields as [RateLimitField, ...RateLimitField[]]),
  /** Null where there is no limit. */
  max: z.nullable(count),
  /** What counts in its window now. */
  used: count,
  /** The most that was seen in use, looked at every few seconds. */
  peak_1_day: count,
  peak_7_days: count,
  /** How many calls it refused. */
  refused_1_day: count,
  refused_7_days: count,
});
export type UsedLimit = z.output<typeof usedLimit>;

/** What one model's limits had in use in a project. `limits` holds those that were ever used or refused a call. */
export const limitUsage = z.object({
  object: z.literal("rate_limit.usage"),
  /** Of the project and the model together: for paging. */
  id: z.string(),
  project_id: z.string(),
  model: z.string(),
  limits: z.array(usedLimit),
});
export type LimitUsage = z.output<typeof limitUsage>;

export const limitUsageQuery = z.extend(pageQuery, {
  project_id: z.optional(z.string()),
  model: z.optional(z.string()),
  /** Those alone of which a limit has 80 of 100 in use, had in the last day, or refused a call in it. */
  near: z.optional(queryFlag),
});
export type LimitUsageQuery = z.output<typeof limitUsageQuery>;

export const limitUsageOperations = {
  listLimitUsage: defineOperation({
    id: "listLimitUsage",
    method: "GET",
    path: "/organization/limits/usage",
    surface: "v1 and origin",
    scope: "any project",
    permission: "api.rate_limits.read",
    summary:
      "Lists how much of each rate limit is used now, its peaks and how often it refused; models that were not used for a week are left out. With `Accept: text/event-stream` the first event is that list, and each further one holds what has changed.",
    query: limitUsageQuery,
    reply: pageOf(limitUsage),
  }),
};
