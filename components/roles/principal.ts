import { type HeldPermissions, holdsInProject } from "@/lib/console/permissions-in";
import type { ReadId } from "@/lib/console/reads/reads";

export type Project = { readonly id: string; readonly name: string };

/** A holder of roles. */
export type Principal = { readonly type: "user" | "group"; readonly id: string; readonly name: string };

/** Where a role is held; null means the whole organization. */
export type RoleScope = Project | null;

/** Returns "in the project Support bot" or "in the whole organization". */
export function describeScope(scope: Pick<Project, "name"> | null): string {
  return scope ? `in the project ${scope.name}` : "in the whole organization";
}

/** Returns whether the person may give roles there, as `holdsInProject` does. */
export function mayAssignIn(held: HeldPermissions | null, scope: RoleScope): boolean {
  return holdsInProject(held, scope?.id ?? null, "api.role_assignments.write");
}

/** Reads to refetch after roles have changed. */
export const readsShowingRoles: readonly ReadId[] = [
  "listUserRoles",
  "listProjectUserRoles",
  "listGroupRoles",
  "listProjectGroupRoles",
  "listProjectUsers",
  "listProjectGroups",
  "listRoleHolders",
  "listUsers",
  "retrieveUser",
  "explainPermission",
  "listPermissionHolders",
];
