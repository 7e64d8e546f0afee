"use client";

import { useRead } from "@/components/queries/reads/use-read";
import { useDebounced } from "@/components/ui/browser/use-debounced";
import { predefinedRoles, type ResourceType } from "@/lib/contract/access/predefined-roles";
import type { Role } from "@/lib/contract/operations/people/roles";
import { membersRead, rolesRead } from "./member-reads";

/** Returns the organization's roles as prefetched; only the predefined ones if the person can't see roles. */
export function useOrganizationRoles(): readonly Role[] {
  const roles = useRead(...rolesRead, { enabled: false });
  return roles.data?.data ?? listPredefinedRoles("api.organization");
}

/** Returns the predefined roles of an organization or a project. */
export function listPredefinedRoles(scope: ResourceType): Role[] {
  return predefinedRoles
    .filter(({ resourceType }) => resourceType === scope)
    .map(({ resourceType, ...role }) => ({
      ...role,
      object: "role",
      permissions: [...role.permissions],
      resource_type: resourceType,
      predefined_role: true,
    }));
}

/** The suggestions that are shown. More typing finds the others. */
const FOUND = "50";
const SETTLE_MS = 150;

/** Returns the members to suggest for a typed name or address, whom the gateway finds among all. */
export function useMemberSuggestions(typed: string, enabled: boolean) {
  const search = useDebounced(typed.trim(), SETTLE_MS);
  const [list, parameters] = membersRead;
  const found = useRead(
    list,
    { ...parameters, limit: FOUND, ...(search !== "" && { search }) },
    { enabled, keepsPrevious: true },
  );
  return (found.data?.data ?? []).map(({ id, email, name }) => ({ id, value: email, label: name }));
}
