import type { Permission } from "@/lib/contract/access/permissions";
import { type ChangeRequest, change } from "../changes/change";
import type { Transaction } from "../changes/transactions.sql";
import { conflict, notFound } from "../refusal";
import type { AccessGraph, HeldRole, Role } from "./access-graph";
import { type Actor, refuseLackedPermission, refuseLostOwnership } from "./actor";
import type { Principal, RoleAssignment } from "./role-store.sql";
import { findRole, listRoles, type RoleContext } from "./roles";

/** A principal, and the scope in which they hold roles: a project or, with null, the organization. */
export interface RoleTarget {
  readonly principal: Principal;
  readonly projectId: string | null;
}

/**
 * Gives a role to the target that `find` returns.
 * @throws Refusal 404 for an unknown role; 409 if the target already holds it; and as `replaceRoles`.
 */
export function assignRole(
  context: RoleContext,
  request: ChangeRequest,
  actor: Actor,
  find: () => RoleTarget,
  roleId: string,
): Promise<Role> {
  return change(context, request, async (transaction) => {
    const target = find();
    const role = findRole(context.graph, roleId, target.projectId);
    const heldRoles = context.graph.directRoles(target.principal, target.projectId);
    if (heldRoles.some(({ assignment }) => assignment.roleId === roleId)) {
      throw conflict("role_id", `The role "${role.name}" is held here already.`);
    }
    await replaceRoles(context, transaction, actor, target, [...heldRoles.map((one) => one.role), role]);
    return role;
  });
}

/**
 * Removes a role from the target that `find` returns.
 * @throws Refusal 404 if the target does not hold it directly, and as `replaceRoles`.
 */
export function unassignRole(
  context: RoleContext,
  request: ChangeRequest,
  actor: Actor,
  find: () => RoleTarget,
  roleId: string,
): Promise<void> {
  return change(context, request, async (transaction) => {
    const target = find();
    const heldRoles = context.graph.directRoles(target.principal, target.projectId).map(({ role }) => role);
    const remainingRoles = heldRoles.filter(({ id }) => id !== roleId);
    if (remainingRoles.length === heldRoles.length)
      throw notFound("role held here directly", roleId, "role_id");
    await replaceRoles(context, transaction, actor, target, remainingRoles);
  });
}

/**
 * Replaces the roles that a principal holds directly in a project or in the organization, within a change. Assignments
 * that stay keep their time.
 * @throws Refusal 403 if an added or removed role has more permissions than the actor, or if the actor would lose
 * their own ownership; 409 if no owner would be left.
 */
export async function replaceRoles(
  { roles, graph, runtime }: Omit<RoleContext, "changes">,
  transaction: Transaction,
  actor: Actor,
  { principal, projectId }: RoleTarget,
  wantedRoles: readonly Role[],
): Promise<void> {
  const rolesBefore = graph.directRoles(principal, projectId);
  const heldRoles = rolesBefore.map(({ role }) => role);
  const grantedRoles = wantedRoles.filter((role) => !heldRoles.includes(role));
  const revokedRoles = heldRoles.filter((role) => !wantedRoles.includes(role));
  for (const role of [...grantedRoles, ...revokedRoles])
    refuseLackedPermission(actor, role.permissions, projectId);
  const createdAtMs = runtime.clock.nowMs();
  const assignments: RoleAssignment[] = wantedRoles.map(
    (role) => findAssignment(rolesBefore, role) ?? { principal, roleId: role.id, projectId, createdAtMs },
  );
  refuseLostOwnership(graph, actor, (records) =>
    records.replaceAssignments(principal, projectId, assignments),
  );
  await roles.replaceAssignments(transaction, principal, projectId, assignments);
}

function findAssignment(heldRoles: readonly HeldRole[], { id }: Role): RoleAssignment | undefined {
  return heldRoles.find(({ assignment }) => assignment.roleId === id)?.assignment;
}

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
