import * as z from "zod/mini";
import {
  type FixedLimitField,
  mapLimits,
  type RateLimitField,
  rateLimitFields,
} from "../../calls/rate-limit-table";
import { defineOperations } from "../../operation";
import { pageSchema, queryFlag, searchedPageQuery } from "../../schema";
import { withVersion } from "../../version";

const count = z.int().check(z.minimum(0), z.maximum(Number.MAX_SAFE_INTEGER));
const removable = z.nullable(count);

const fields = mapLimits((row) => (row.removable ? removable : count)) as {
  readonly [Field in RateLimitField]: Field extends FixedLimitField ? typeof count : typeof removable;
};

/** The limits as numbers; null if there is no limit. */
export const rateLimitValues = z.object(fields);

/** The names of limits. */
export const limitField = z.enum(rateLimitFields as [RateLimitField, ...RateLimitField[]]);

/** Any of the limits; absent ones stay as they are, and "default" lets one follow the model's default again. */
export const limitEdit = z.partial(
  z.strictObject(mapLimits(({ field }) => z.union([fields[field], z.literal("default")]))),
);
export type LimitEdit = z.output<typeof limitEdit>;

/** The rate limits of one project and model, with the field names of OpenAI's Admin API. */
const rateLimit = withVersion(
  z.object({
    object: z.literal("project.rate_limit"),
    id: z.string(),
    model: z.string(),
    ...fields,
    /** The limits that were set by hand. The others follow the model's defaults. */
    own_fields: z.optional(z.array(limitField)),
  }),
);
export type RateLimit = z.output<typeof rateLimit>;

/** Any of the fields; absent ones stay as they are. */
export const rateLimitChange = z.partial(z.strictObject(fields));
export type RateLimitChange = z.output<typeof rateLimitChange>;

/** A request without any of them would save nothing, which a caller who misnamed them wouldn't notice. */
const rateLimitRequest = limitEdit.check(
  z.refine((change) => Object.keys(change).length > 0, {
    message: `must set at least one of ${Object.keys(fields).join(", ")}`,
  }),
);

const listQuery = z.extend(searchedPageQuery, {
  /** Selects the limits that differ from their model's defaults, or with `false` those that don't. */
  changed: z.optional(queryFlag),
});

export const rateLimitOperations = defineOperations(
  { surface: "v1 and origin", scope: "project" },
  {
    listRateLimits: {
      method: "GET",
      path: "/organization/projects/{project_id}/rate_limits",
      permission: "api.rate_limits.read",
      summary: "Lists a project's rate limits, one object per model.",
      query: listQuery,
      reply: pageSchema(rateLimit),
    },
    retrieveRateLimit: {
      method: "GET",
      path: "/organization/projects/{project_id}/rate_limits/{rate_limit_id}",
      permission: "api.rate_limits.read",
      summary: "Returns a model's rate limits in a project.",
      reply: rateLimit,
    },
    saveRateLimit: {
      method: "POST",
      effect: "edits",
      path: "/organization/projects/{project_id}/rate_limits/{rate_limit_id}",
      permission: "api.rate_limits.write",
      summary: "Changes a model's rate limits in a project. Takes effect at once.",
      body: rateLimitRequest,
      reply: rateLimit,
    },
  },
);
