import type { OrganizationChange } from "@/lib/contract/operations/projects/organization";
import { type ChangeContext, type ChangeRequest, change } from "../changes/change";
import type { TableCache } from "../changes/table-cache";
import type { Organization, OrganizationStore } from "./organization-store.sql";

export interface OrganizationContext extends ChangeContext {
  readonly organizations: Pick<OrganizationStore, "rename">;
  /** The one that all of the gateway reads, which follows each committed change. */
  readonly organization: Organization;
}

/** Renames the organization. */
export function renameOrganization(
  context: OrganizationContext,
  request: ChangeRequest,
  { name }: OrganizationChange,
): Promise<Organization> {
  return change(context, request, async (transaction) => {
    const { id, currency } = context.organization;
    await context.organizations.rename(transaction, id, name);
    return { id, currency, name };
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
