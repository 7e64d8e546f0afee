import type { OrganizationSettings } from "@/lib/contract/operations/projects/organization";
import { type OrganizationContext, renameOrganization } from "../../projects/organization";
import type { Organization } from "../../projects/organization-store.sql";
import type { Handlers } from "../handler";

export function organizationRoutes(
  context: OrganizationContext,
): Handlers<"retrieveOrganization" | "changeOrganization"> {
  return {
    retrieveOrganization: async () => toSettings(context.organization),
    changeOrganization: async ({ body, request }) =>
      toSettings(await renameOrganization(context, request, body)),
  };
}

function toSettings({ id, name, currency }: Organization): OrganizationSettings {
  return { object: "organization.settings", id, name, currency };
}
