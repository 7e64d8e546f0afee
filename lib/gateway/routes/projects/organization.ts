import type { OrganizationSettings } from "@/lib/contract/operations/projects/organization";
import type { Organization } from "../../projects/organization-store.sql";
import { changeOrganization, type OrganizationContext } from "../../projects/projects";
import type { Handlers } from "../handler";

export function organizationRoutes(
  context: OrganizationContext,
): Handlers<"retrieveOrganization" | "changeOrganization"> {
  return {
    retrieveOrganization: async () => toSettings(context.organization),
    changeOrganization: async ({ body, request }) =>
      toSettings(await changeOrganization(context, request, body)),
  };
}

function toSettings(organization: Organization): OrganizationSettings {
  return { object: "organization.settings", ...organization };
}
