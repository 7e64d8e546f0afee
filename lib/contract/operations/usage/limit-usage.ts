import * as z from "zod/mini";
import { type RateLimitField, rateLimitFields } from "../../calls/rate-limit-table";
import { defineOperations } from "../../operation";
import { pageQuery, pageSchema, queryFlag } from "../../schema";

const count = z.int().check(z.minimum(0));

export const limitUsageEntry = z.object({
  field: z.enum(rateLimitFields as [RateLimitField, ...RateLimitField[]]),
  /** Null for no limit. */
  max: z.nullable(count),
  /** The present use in its window. */
  used: count,
  /** The highest use observed, sampled every few seconds. */
  peak_1_day: count,
  peak_7_days: count,
  /** The number of calls that it refused. */
  refused_1_day: count,
  refused_7_days: count,
});
export type LimitUsageEntry = z.output<typeof limitUsageEntry>;

/** The use of one model's limits in a project. `limits` contains those that were ever used or refused a call. */
const limitUsage = z.object({
  object: z.literal("rate_limit.usage"),
  /** Made of the project's and the model's ids, for paging. */
  id: z.string(),
  project_id: z.string(),
  model: z.string(),
  limits: z.array(limitUsageEntry),
});
export type LimitUsage = z.output<typeof limitUsage>;

/** A limit that refused calls within the last day, or of which at least 80 % was used. */
const nearLimit = z.object({
  object: z.literal("rate_limit.near"),
  /** Made of the project's and the model's ids and the field, for paging. */
  id: z.string(),
  project_id: z.string(),
  model: z.string(),
  ...z.pick(limitUsageEntry, { field: true, max: true, peak_1_day: true, refused_1_day: true }).shape,
});
export type NearLimit = z.output<typeof nearLimit>;

const limitUsageQuery = z.extend(pageQuery, {
  project_id: z.optional(z.string()),
  model: z.optional(z.string()),
  /**
   * Selects only rows with a limit that is used to at least 80 % now, was within the last day, or refused a call within
   * it.
   */
  near: z.optional(queryFlag),
});
export type LimitUsageQuery = z.output<typeof limitUsageQuery>;

export const limitUsageOperations = defineOperations(
  { surface: "v1 and origin", scope: "any project", permission: "api.rate_limits.read" },
  {
    listLimitUsage: {
      method: "GET",
      path: "/organization/limits/usage",
      summary:
        "Lists how much of each rate limit is used now, its peaks and how often it refused; models that were not used for a week are left out. With `Accept: text/event-stream` the first event is that list, and each further one holds what has changed.",
      query: limitUsageQuery,
      reply: pageSchema(limitUsage),
    },
    listNearLimits: {
      method: "GET",
      path: "/organization/limits/near",
      summary:
        "Lists the rate limits that refused calls within the last 24 hours, the most calls first, and then those of which at least 80 % was used within them. `total` counts them all.",
      query: pageQuery,
      reply: z.extend(pageSchema(nearLimit), { total: count }),
    },
  },
);
