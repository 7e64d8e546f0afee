import * as z from "zod/mini";
import { rateLimitFields } from "../../calls/rate-limit-table";
import { defineOperations } from "../../operation";
import { pageQuery, pageSchema } from "../../schema";
import { markUnversioned, withVersion } from "../../version";
import { limitEdit, limitField, rateLimitValues } from "./rate-limits";

/** The limits of projects that set none: of a model, or of every model without one of its own. */
export const rateLimitDefault = withVersion(
  z.object({
    object: z.literal("rate_limit.default"),
    /** The model's id, or `organization`. */
    id: z.string(),
    /** Null for those of every model. */
    model: z.nullable(z.string()),
    ...rateLimitValues.shape,
    /** The limits that were set here. The others are those of the file or, for a model, of every model. */
    own_fields: z.array(limitField),
    /** The limits as they would be if none was set here. */
    inherited: markUnversioned(rateLimitValues),
  }),
);
export type RateLimitDefault = z.output<typeof rateLimitDefault>;

const change = limitEdit.check(
  z.refine((edit) => Object.keys(edit).length > 0, {
    message: `must set at least one of ${rateLimitFields.join(", ")}`,
  }),
);

export const rateLimitDefaultOperations = defineOperations(
  { surface: "v1 and origin", scope: "organization" },
  {
    listRateLimitDefaults: {
      method: "GET",
      path: "/organization/rate_limits/defaults",
      permission: "api.rate_limits.read",
      summary: "Lists the default rate limits: those of every model, and then each model's.",
      query: pageQuery,
      reply: pageSchema(rateLimitDefault),
    },
    retrieveRateLimitDefault: {
      method: "GET",
      path: "/organization/rate_limits/defaults/{default_id}",
      permission: "api.rate_limits.read",
      summary: "Returns the default rate limits of a model or, with the id organization, of every model.",
      reply: rateLimitDefault,
    },
    saveRateLimitDefault: {
      method: "POST",
      effect: "edits",
      path: "/organization/rate_limits/defaults/{default_id}",
      permission: "api.rate_limits.write",
      summary:
        "Changes default rate limits, which every project follows at once that hasn't set a limit by hand. Absent fields stay.",
      body: change,
      reply: rateLimitDefault,
    },
  },
);
