"use client";

import { useRead } from "@/components/queries/reads/use-read";
import { wholeList } from "@/components/queries/reads/whole-list";
import { listPredefinedRoles } from "@/components/roles/use-organization-roles";
import type { Role } from "@/lib/contract/operations/people/roles";
import type { MayInProject } from "../project-tabs";

/** Returns the roles that can be held in a project; only the predefined ones if the person can't see roles. */
export function useProjectRoles(projectId: string, may: MayInProject): readonly Role[] {
  const roles = useRead(...wholeList("listProjectRoles", { project_id: projectId }), {
    enabled: may("api.roles.read"),
  });
  return roles.data?.data ?? listPredefinedRoles("api.project");
}

/** Returns the names of roles, as shown in lists. */
export function formatRoleNames(ids: readonly string[], roles: readonly Role[]): string {
  return ids.map((id) => roles.find((role) => role.id === id)?.name ?? id).join(", ");
}
