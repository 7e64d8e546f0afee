import { type ChangeRequest, change } from "../changes/change";
import type { Transaction } from "../changes/transaction";
import { conflict, notFound } from "../refusal";
import type { HeldRole } from "./access-graph";
import type { Role } from "./access-records";
import type { Actor } from "./actor";
import { refuseLackedPermission, refuseLostOwnership } from "./change-access";
import { findRole } from "./find-role";
import type { RoleContext } from "./role-context";
import type { Principal, RoleAssignment } from "./role-store";

/** A principal, and the place where they hold roles: a project or, with null, the organization. */
export interface RoleTarget {
  readonly principal: Principal;
  readonly projectId: string | null;
}

/**
 * Gives a role to the target that `find` returns.
 * @throws Refusal 404 for an unknown role; 409 where the target already holds it; and as `replaceRoles`.
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
    const held = context.graph.directRoles(target.principal, target.projectId);
    if (held.some(({ assignment }) => assignment.roleId === roleId)) {
      throw conflict("role_id", `The role "${role.name}" is held here already.`);
    }
    await replaceRoles(context, transaction, actor, target, [...held.map((one) => one.role), role]);
    return role;
  });
}

/**
 * Removes a role from the target that `find` returns.
 * @throws Refusal 404 where the target does not hold it directly, and as `replaceRoles`.
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
    const held = context.graph.directRoles(target.principal, target.projectId).map(({ role }) => role);
    const kept = held.filter(({ id }) => id !== roleId);
    if (kept.length === held.length) throw notFound("role held here directly", roleId, "role_id");
    await replaceRoles(context, transaction, actor, target, kept);
  });
}

/**
 * Replaces the roles that a principal holds directly in a project or in the organization, within a change. Assignments
 * that stay keep their time.
 * @throws Refusal 403 where an added or removed role has more permissions than the actor, or where the actor would lose
 * their own ownership; 409 where no owner would be left.
 */
export async function replaceRoles(
  { roles, graph, effects }: Omit<RoleContext, "changes">,
  transaction: Transaction,
  actor: Actor,
  { principal, projectId }: RoleTarget,
  wanted: readonly Role[],
): Promise<void> {
  const before = graph.directRoles(principal, projectId);
  const held = before.map(({ role }) => role);
  const given = wanted.filter((role) => !held.includes(role));
  const taken = held.filter((role) => !wanted.includes(role));
  for (const role of [...given, ...taken]) refuseLackedPermission(actor, role.permissions, projectId);
  const createdAtMs = effects.clock.nowMs();
  const assignments: RoleAssignment[] = wanted.map(
    (role) => assignmentIn(before, role) ?? { principal, roleId: role.id, projectId, createdAtMs },
  );
  refuseLostOwnership(graph, actor, (records) =>
    records.replaceAssignments(principal, projectId, assignments),
  );
  await roles.replaceAssignments(transaction, principal, projectId, assignments);
}

function assignmentIn(held: readonly HeldRole[], { id }: Role): RoleAssignment | undefined {
  return held.find(({ assignment }) => assignment.roleId === id)?.assignment;
}
