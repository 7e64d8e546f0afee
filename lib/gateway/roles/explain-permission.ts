import type { Permission } from "@/lib/contract/access/permissions";
import type { AccessGraph, HeldRole } from "./access-graph";
import type { Role } from "./access-records";
import { listRoles } from "./find-role";

/** A role that would grant a missing permission, and the scope in which it would have to be held. */
export interface SmallestRole {
  readonly role: Role;
  readonly projectId: string | null;
  /** The other permissions that it would grant. */
  readonly alsoGrants: readonly Permission[];
}

/** Every way a member holds a permission in a project or, with null, in the organization; direct ones first. */
export function findPathsTo(
  graph: AccessGraph,
  userId: string,
  permission: Permission,
  projectId: string | null,
): HeldRole[] {
  const places = projectId === null ? [null] : [null, projectId];
  return places
    .flatMap((assignedIn) => graph.listUserRoles(userId, assignedIn))
    .filter(({ role }) => role.permissions.includes(permission));
}

/**
 * The role that grants a permission and adds the fewest others to those in `heldPermissions`. A project's role is
 * preferred to one of the organization, which would count in every project.
 */
export function findSmallestRoleFor(
  graph: AccessGraph,
  heldPermissions: ReadonlySet<Permission>,
  permission: Permission,
  projectId: string | null,
): SmallestRole | null {
  const here = findSmallestRoleWith(listRoles(graph, projectId), heldPermissions, permission, projectId);
  return here ?? (projectId === null ? null : findSmallestRoleFor(graph, heldPermissions, permission, null));
}

/** `findSmallestRoleFor` among these roles. Ties go to the smaller role, then to the one listed first. */
export function findSmallestRoleWith(
  roles: readonly Role[],
  heldPermissions: ReadonlySet<Permission>,
  permission: Permission,
  projectId: string | null,
): SmallestRole | null {
  const [smallest] = roles
    .filter((role) => role.permissions.includes(permission))
    .map((role) => ({
      role,
      projectId,
      alsoGrants: role.permissions.filter((other) => other !== permission && !heldPermissions.has(other)),
    }))
    .toSorted(
      (one, other) =>
        one.alsoGrants.length - other.alsoGrants.length || countPermissions(one) - countPermissions(other),
    );
  return smallest ?? null;
}

function countPermissions({ role }: SmallestRole): number {
  return role.permissions.length;
}
