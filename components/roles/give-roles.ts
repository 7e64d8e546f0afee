import { type HeldPermissions, permissionsIn } from "@/lib/console/permissions-in";
import { directoryRole } from "@/lib/contract/access/predefined-roles";
import { toOrganizationRoleId, toProjectRoleId } from "@/lib/contract/access/role-words";
import type { Role } from "@/lib/contract/operations/people/roles";

type Carried = { readonly permissions: readonly string[] };

/**
 * Returns a permission of the role that the giver lacks; null if they may give it. A null `projectId` means the
 * organization.
 */
export function findLackedPermission(
  { permissions }: Carried,
  held: HeldPermissions | null,
  projectId: string | null,
): string | null {
  if (!held) return null;
  const own = permissionsIn(held, projectId);
  return permissions.find((permission) => !own.includes(permission)) ?? null;
}

/**
 * Returns the predefined role for people with the fewest permissions that the person may give: the default for new
 * members. The token of a directory has one permission, with which it can make owners.
 */
export function smallestRole<One extends Carried & Pick<Role, "id" | "predefined_role">>(
  roles: readonly One[],
  held: HeldPermissions | null,
): One | undefined {
  return roles
    .filter((role) => role.predefined_role && role.id !== directoryRole.id)
    .filter((role) => findLackedPermission(role, held, null) === null)
    .toSorted((one, other) => one.permissions.length - other.permissions.length)[0];
}

/** Finds a role of the organization by the value of a `role` field: a predefined role's word, or an id. */
export function findOrganizationRole(roles: readonly Role[], word: string): Role | undefined {
  const wantedId = toOrganizationRoleId(word);
  return roles.find(({ id }) => id === wantedId);
}

/** Finds a role in a project, as `findOrganizationRole` does in the organization. */
export function findProjectRole(roles: readonly Role[], word: string): Role | undefined {
  const wantedId = toProjectRoleId(word);
  return roles.find(({ id }) => id === wantedId);
}
