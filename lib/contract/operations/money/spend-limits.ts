import * as z from "zod/mini";
import { MAX_SPEND_CENTS } from "../../calls/suggest-limit";
import { defineOperations } from "../../operation";
import { markUnversioned, withVersion } from "../../version";

/** Whole cents of the organization's currency. */
export const spendCents = z.int().check(z.minimum(0), z.maximum(MAX_SPEND_CENTS));

const shape = {
  currency: z.string(),
  interval: z.literal("month"),
  threshold_amount: spendCents,
};

/**
 * The maximum cost of calls in a calendar month (UTC), after OpenAI's `spend_limit`. `threshold_amount` is in cents.
 */
const limit = z.object({
  ...shape,
  /** `enforcing` while the limit refused the last call that it applied to. */
  enforcement: markUnversioned(z.object({ status: z.enum(["inactive", "enforcing"]) })),
});
const organizationSpendLimit = withVersion(
  z.extend(limit, { object: z.literal("organization.spend_limit") }),
);
const projectSpendLimit = withVersion(z.extend(limit, { object: z.literal("project.spend_limit") }));
export type SpendLimit = z.output<typeof limit>;

export const spendLimitDraft = z.strictObject(shape);
export type SpendLimitDraft = z.output<typeof spendLimitDraft>;

export const spendLimitOperations = {
  ...defineOperations(
    { surface: "v1 and origin", scope: "organization" },
    {
      retrieveSpendLimit: {
        method: "GET",
        path: "/organization/spend_limit",
        permission: "api.spend_limits.read",
        summary: "Returns what all calls may cost in a calendar month (UTC); 404 where that is not limited.",
        reply: organizationSpendLimit,
      },
      saveSpendLimit: {
        method: "POST",
        effect: "sets",
        path: "/organization/spend_limit",
        permission: "api.spend_limits.write",
        summary: "Sets what all calls may cost in a calendar month, in cents. Calls beyond it answer 402.",
        body: spendLimitDraft,
        reply: organizationSpendLimit,
      },
      deleteSpendLimit: {
        method: "DELETE",
        effect: "deletes",
        path: "/organization/spend_limit",
        permission: "api.spend_limits.write",
        summary: "Removes the organization's spend limit: the balance alone bounds its calls.",
        reply: z.object({ object: z.literal("organization.spend_limit.deleted"), deleted: z.literal(true) }),
      },
    },
  ),
  ...defineOperations(
    { surface: "v1 and origin", scope: "project" },
    {
      retrieveProjectSpendLimit: {
        method: "GET",
        path: "/organization/projects/{project_id}/spend_limit",
        permission: "api.spend_limits.read",
        summary:
          "Returns what a project's calls may cost in a calendar month (UTC); 404 where that is not limited.",
        reply: projectSpendLimit,
      },
      saveProjectSpendLimit: {
        method: "POST",
        effect: "sets",
        path: "/organization/projects/{project_id}/spend_limit",
        permission: "api.spend_limits.write",
        summary:
          "Sets what a project's calls may cost in a calendar month, in cents. Calls beyond it answer 402.",
        body: spendLimitDraft,
        reply: projectSpendLimit,
      },
      deleteProjectSpendLimit: {
        method: "DELETE",
        effect: "deletes",
        path: "/organization/projects/{project_id}/spend_limit",
        permission: "api.spend_limits.write",
        summary: "Removes a project's spend limit.",
        reply: z.object({ object: z.literal("project.spend_limit.deleted"), deleted: z.literal(true) }),
      },
    },
  ),
};
