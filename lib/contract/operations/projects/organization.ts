import * as z from "zod/mini";
import { defineOperations } from "../../operation";
import { displayName } from "../../schema";
import { withVersion } from "../../version";

const organization = withVersion(
  z.object({
    object: z.literal("organization.settings"),
    id: z.string(),
    /** What invitations, mails and statements call it. */
    name: z.string(),
    /** ISO 4217. Set at the first start, and never changed. */
    currency: z.string(),
  }),
);
export type OrganizationSettings = z.output<typeof organization>;

const organizationChange = z.strictObject({ name: displayName });
export type OrganizationChange = z.output<typeof organizationChange>;

export const organizationOperations = defineOperations(
  { surface: "v1 and origin" },
  {
    retrieveOrganization: {
      method: "GET",
      path: "/organization/settings",
      scope: "own",
      permission: {
        open: "to every caller",
        because: "Whoever belongs to the organization knows its name and currency.",
      },
      summary: "Returns the organization's name and currency.",
      reply: organization,
    },
    changeOrganization: {
      method: "POST",
      effect: "edits",
      path: "/organization/settings",
      scope: "organization",
      permission: "api.organization.write",
      summary: "Renames the organization, as invitations, mails and statements call it from then on.",
      body: organizationChange,
      reply: organization,
    },
  },
);
