import * as z from "zod/mini";
import { permissions } from "../../access/permissions";
import { rateLimitTable } from "../../calls/rate-limit-table";
import { defineOperations } from "../../operation";
import { description, pageQuery, pageSchema, unixSeconds } from "../../schema";
import { rateLimitChange } from "../models/rate-limits";
import { person } from "../money/pending-payment";
import { spendCents } from "../money/spend-limits";

const accessRequestKinds = ["rate_limits", "spend_limit", "model", "permission"] as const;
const accessRequestStatuses = ["pending", "approved", "declined"] as const;

/** What calls of a project, or of the whole organization, may cost in a calendar month (UTC). */
const spendLimit = z.object({ threshold_amount: spendCents, currency: z.string() });

/** A person's request for more: higher limits, a model that the project may not call, or a permission. */
const accessRequest = z.object({
  object: z.literal("organization.access_request"),
  id: z.string(),
  kind: z.enum(accessRequestKinds),
  status: z.enum(accessRequestStatuses),
  /** The project; null for a permission in, or the spend limit of, the whole organization. */
  project_id: z.nullable(z.string()),
  project_name: z.nullable(z.string()),
  model: z.nullable(z.string()),
  /** The limits that are asked for, and the same limits as they are now; null for the other kinds. */
  limits: z.nullable(rateLimitChange),
  limits_now: z.nullable(rateLimitChange),
  /**
   * The spend limit that is asked for, and as it is now; null for the other kinds, for who may not read it, and where
   * there is none now.
   */
  spend_limit: z.nullable(spendLimit),
  spend_limit_now: z.nullable(spendLimit),
  permission: z.nullable(z.string()),
  /** The smallest role with the permission or, once approved, the role that was given; null for the other kinds. */
  role: z.nullable(
    z.object({
      id: z.string(),
      name: z.string(),
      project_id: z.nullable(z.string()),
      /** What else it lets its holder do that they can't do now. */
      also_grants: z.array(z.string()),
    }),
  ),
  /** Why it is asked for, in the person's words. */
  reason: z.nullable(z.string()),
  /** The refused call that led to it. */
  request_id: z.nullable(z.string()),
  created_at: unixSeconds,
  requested_by: z.object({ id: z.string(), name: z.string() }),
  /** Whether the caller may approve it. */
  may_decide: z.boolean(),
  decided_at: z.nullable(unixSeconds),
  decided_by: z.nullable(person),
  /** Why it was declined; null otherwise. */
  decline_reason: z.nullable(z.string()),
  /** When what was given goes back by itself, and when it did; null where it stays. */
  ends_at: z.nullable(unixSeconds),
  ended_at: z.nullable(unixSeconds),
  /** The limits, the model or the role that were left alone at the end, because somebody had changed them since. */
  left_alone: z.array(z.string()),
});
export type AccessRequest = z.output<typeof accessRequest>;

const limitFields = Object.keys(rateLimitTable).join(", ");

/** `model` and `limits`, `spend_limit`, `model` alone, or `permission`. */
export const accessRequestDraft = z.strictObject({
  project_id: z.optional(z.nullable(z.string())),
  model: z.optional(z.string()),
  limits: z.optional(
    rateLimitChange.check(
      z.refine((change) => Object.keys(change).length > 0, { message: `must set one of ${limitFields}` }),
    ),
  ),
  /** Without an amount, about twice the present limit: so asks who may not read it. */
  spend_limit: z.optional(z.strictObject({ threshold_amount: z.optional(spendCents) })),
  permission: z.optional(z.enum(permissions)),
  reason: z.optional(z.nullable(description)),
  request_id: z.optional(z.nullable(z.string().check(z.maxLength(100)))),
});
export type AccessRequestDraft = z.output<typeof accessRequestDraft>;

export const accessApproval = z.strictObject({
  /** After so many days what is given goes back by itself; null or absent where it stays. */
  days: z.optional(z.nullable(z.int().check(z.minimum(1), z.maximum(365)))),
});
export type AccessApproval = z.output<typeof accessApproval>;

const accessDecline = z.strictObject({ reason: z.optional(z.nullable(description)) });
export type AccessDecline = z.output<typeof accessDecline>;

const listQuery = z.extend(pageQuery, {
  status: z.optional(z.enum(accessRequestStatuses)),
  /** `own`: those that the caller made. `others`: those of others that the caller may decide. */
  of: z.optional(z.enum(["own", "others"])),
});

export const accessRequestOperations = defineOperations(
  {
    surface: "v1 and origin",
    scope: "own",
    permission: {
      open: "to every caller",
      because: "Anybody may ask. Only whoever could change it themselves sees it and may approve it.",
    },
  },
  {
    listAccessRequests: {
      method: "GET",
      path: "/organization/access_requests",
      summary:
        "Lists the requests for higher limits, models and permissions that the caller made or may decide, newest first.",
      query: listQuery,
      reply: pageSchema(accessRequest),
    },
    retrieveAccessRequest: {
      method: "GET",
      path: "/organization/access_requests/{access_request_id}",
      summary: "Returns one request that the caller made or may decide.",
      reply: accessRequest,
    },
    createAccessRequest: {
      method: "POST",
      effect: "acts",
      path: "/organization/access_requests",
      summary:
        "Asks for higher limits of a model in a project, for a higher spend limit, for a model that the project may not call, or for a permission, as a signed-in member. It changes nothing until somebody who may change it approves it. A member has at most 20 that wait.",
      body: accessRequestDraft,
      reply: accessRequest,
    },
    approveAccessRequest: {
      method: "POST",
      effect: "acts",
      path: "/organization/access_requests/{access_request_id}/approve",
      summary:
        "Sets the limits, allows the model, or gives the smallest role with the permission. With days, it goes back by itself afterwards; what somebody changed in the meantime is left alone. Needs there what setting it by hand needs: api.rate_limits.write, api.spend_limits.write, api.model_permissions.write, or api.role_assignments.write and the role's permissions.",
      body: accessApproval,
      reply: accessRequest,
    },
    declineAccessRequest: {
      method: "POST",
      effect: "acts",
      path: "/organization/access_requests/{access_request_id}/decline",
      summary: "Declines a request or, by whoever made it, withdraws it. Nothing changes.",
      body: accessDecline,
      reply: accessRequest,
    },
  },
);
