import type { OrganizationChange } from "@/lib/contract/operations/projects/organization";
import { type ChangeContext, type ChangeRequest, change } from "../changes/change";
import type { TableCache } from "../changes/table-cache";
import type { Organization, OrganizationStore } from "./organization-store.sql";

export interface OrganizationContext extends ChangeContext {
  readonly organizations: Pick<OrganizationStore, "update">;
  /** The one that all of the gateway reads, which follows each committed change. */
  readonly organization: Organization;
}

/** Changes the fields that are named. */
export function changeOrganization(
  context: OrganizationContext,
  request: ChangeRequest,
  draft: OrganizationChange,
): Promise<Organization> {
  return change(context, request, async (transaction) => {
    const { id, currency, ...before } = context.organization;
    const fields = {
      name: draft.name ?? before.name,
      logo: draft.logo === undefined ? before.logo : draft.logo,
      time_zone: draft.time_zone === undefined ? before.time_zone : draft.time_zone,
      number_format: draft.number_format ?? before.number_format,
    };
    await context.organizations.update(transaction, id, fields);
    return { id, currency, ...fields };
  });
}

/** Keeps the organization in memory up to date. */
export function followOrganization(
  organization: Organization,
  store: Pick<OrganizationStore, "find">,
): TableCache {
  const load = async () => {
    Object.assign(organization, await store.find());
  };
  return { load, reread: { organizations: load } };
}
