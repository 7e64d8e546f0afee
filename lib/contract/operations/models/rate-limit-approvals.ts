import * as z from "zod/mini";
import { mapLimits } from "../../calls/rate-limit-table";
import { defineOperations } from "../../operation";
import { description, pageQuery, pageSchema, unixSeconds } from "../../schema";
import { markUnversioned, withVersion } from "../../version";
import { pendingPaymentStatuses, person } from "../money/pending-payment";
import { changesBounds, limitChangesDraft, limitTarget } from "./rate-limit-changes";
import { limitEdit, limitField } from "./rate-limits";

const bounds = z.partial(z.object(mapLimits(() => z.int())));

/** Above which limits a second person has to approve. */
const approvalRule = withVersion(
  z.object({
    object: z.literal("rate_limits.approval"),
    /** Those that are absent have no bound. */
    above: bounds,
    /** The draft that waits to raise or remove a bound. */
    waits: markUnversioned(z.nullable(z.string())),
  }),
);
export type LimitApprovalRule = z.output<typeof approvalRule>;

const bound = z.optional(z.int().check(z.minimum(0), z.maximum(Number.MAX_SAFE_INTEGER)));

/** Numbers alone: a bound is removed by leaving it out. */
export const limitApprovalDraft = z.strictObject({
  above: z.strictObject(mapLimits(() => bound)),
});

const statuses = [...pendingPaymentStatuses, "saved"] as const;

const summary = {
  object: z.literal("rate_limits.draft"),
  id: z.string(),
  status: z.enum(statuses),
  /** The number of projects and models, plans and defaults. */
  size: z.int(),
  /** For a change of the bounds themselves: those that it sets. */
  sets_approval: z.nullable(z.object({ above: bounds })),
  created_at: unixSeconds,
  made_by: person,
  decided_at: z.nullable(unixSeconds),
  decided_by: z.nullable(person),
  /** Why it was declined; null otherwise. */
  reason: z.nullable(z.string()),
  /** Why the caller can't approve it, and until when; null if they can, or it was decided. */
  approval_refusal: z.nullable(z.object({ message: z.string(), until: z.nullable(unixSeconds) })),
};
const draftSummary = z.object(summary);
const draft = z.object({
  ...summary,
  /** What it changes; empty for a change of the bounds. */
  changes: z.array(z.object({ ...limitTarget, after: limitEdit })),
});

/** What of a draft needs a second person, and whether one has approved exactly this draft. */
export const draftApproval = z.object({
  needed: z.array(z.object({ ...limitTarget, field: limitField, above: z.int() })),
  /** The last time that this draft was asked for; null if it never was. */
  draft: z.nullable(draftSummary),
});

const limitDecline = z.strictObject({ reason: description.check(z.minLength(1)) });

const reads = { permission: "api.rate_limits.read", scope: "any project" } as const;
const writes = { permission: "api.rate_limits.write", scope: "organization" } as const;

export const rateLimitApprovalOperations = defineOperations(
  { surface: "v1 and origin", scope: "organization" },
  {
    retrieveRateLimitApproval: {
      method: "GET",
      path: "/organization/rate_limits/approval",
      ...reads,
      summary: "Returns the bounds above which a raised limit waits for a second person.",
      reply: approvalRule,
    },
    saveRateLimitApproval: {
      method: "POST",
      effect: "sets",
      path: "/organization/rate_limits/approval",
      ...writes,
      summary:
        "Sets the bounds above which a raised limit waits for a second person. Once one is set, a higher bound, or none, waits for a second person itself.",
      body: limitApprovalDraft,
      reply: approvalRule,
    },
    listRateLimitDrafts: {
      method: "GET",
      path: "/organization/rate_limits/drafts",
      ...reads,
      summary:
        "Lists the drafts that wait or waited for a second person, newest first: the caller's own, and all for those who may approve.",
      query: z.extend(pageQuery, { status: z.optional(z.enum(statuses)) }),
      reply: pageSchema(draftSummary),
    },
    createRateLimitDraft: {
      method: "POST",
      effect: "creates",
      path: "/organization/rate_limits/drafts",
      permission: "api.rate_limits.write",
      scope: "any project",
      summary:
        "Asks a second person to approve a draft. Once approved, its maker saves exactly these changes within seven days.",
      body: limitChangesDraft,
      bodyBounds: changesBounds,
      reply: draft,
    },
    retrieveRateLimitDraft: {
      method: "GET",
      path: "/organization/rate_limits/drafts/{draft_id}",
      ...reads,
      summary: "Returns a draft that waits or waited for a second person.",
      reply: draft,
    },
    approveRateLimitDraft: {
      method: "POST",
      effect: "acts",
      path: "/organization/rate_limits/drafts/{draft_id}/approve",
      ...writes,
      summary:
        "Approves a draft, or makes a waiting change of the bounds. A signed-in member approves, and never the one who made it, nor anybody who was let in within seven days.",
      reply: draft,
    },
    declineRateLimitDraft: {
      method: "POST",
      effect: "acts",
      path: "/organization/rate_limits/drafts/{draft_id}/decline",
      ...writes,
      summary: "Declines a draft, with a reason.",
      body: limitDecline,
      reply: draft,
    },
  },
);
