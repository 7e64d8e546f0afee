"use client";

import { useRead } from "@/components/queries/reads/use-read";
import { predefinedRoles, type ResourceType } from "@/lib/contract/access/predefined-roles";
import type { Role } from "@/lib/contract/operations/people/roles";
import { rolesRead } from "./member-reads";

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
