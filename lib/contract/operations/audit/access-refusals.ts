import * as z from "zod/mini";
import { defineOperations } from "../../operation";
import { pageQuery, pageSchema, queryList, queryTime, unixSeconds } from "../../schema";

/** Refusals of one minute with the same caller, operation, reason, project and network address. */
const accessRefusal = z.object({
  object: z.literal("organization.access_refusal"),
  id: z.string(),
  first_at: unixSeconds,
  last_at: unixSeconds,
  /** Null if no valid key or session was sent. The id is the member's or the key's. */
  caller: z.nullable(
    z.object({ type: z.enum(["user", "admin_key", "project_key"]), id: z.string(), name: z.string() }),
  ),
  /** Null for a row that sums a caller's refusals beyond the 20 rows of a minute or the 1,000 of a day. */
  operation: z.nullable(z.string()),
  /** The project in the path, if it exists. */
  project_id: z.nullable(z.string()),
  ip_address: z.nullable(z.string()),
  status: z.int(),
  code: z.string(),
  refusals: z.int(),
  /** The request of the first of them. */
  request_id: z.string(),
});
export type AccessRefusal = z.output<typeof accessRefusal>;

const accessRefusalQuery = z.extend(pageQuery, {
  "refused_at[gte]": z.optional(queryTime),
  "refused_at[lt]": z.optional(queryTime),
  caller_ids: z.optional(queryList),
  codes: z.optional(queryList),
  ip_addresses: z.optional(queryList),
});

export const accessRefusalOperations = defineOperations(
  { surface: "v1 and origin", scope: "organization", permission: "api.audit_logs.read" },
  {
    listAccessRefusals: {
      method: "GET",
      path: "/organization/access_refusals",
      summary:
        "Lists what was refused for want of a valid key or session (401) or of a permission (403), newest first, counted by the minute. Sign-ins in vain are in the audit log, refused calls of models in the request log.",
      query: accessRefusalQuery,
      reply: pageSchema(accessRefusal),
    },
  },
);
