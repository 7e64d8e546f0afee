import type { RoleChange } from "@/lib/contract/operations/people/roles";
import { type ChangeRequest, change } from "../changes/change";
import type { AccessGraph } from "./access-graph";
import type { Actor } from "./actor";
import { findChangeableRole, type RoleReference, refuseTakenName } from "./find-role";
import { inCatalogueOrder } from "./in-catalogue-order";
import { refuseLackedPermission, refuseLostOwnership } from "./refuse-access-change";
import type { RoleContext } from "./role-context";
import type { RoleRecord } from "./role-store";

/**
 * Changes a role. Its holders have the new permissions from the next call on.
 * @throws Refusal 404; 409 if the new name is taken or no owner would be left; 403 for a predefined role, if it has
 * or would have more permissions than the actor, and if the actor would lose their own ownership.
 */
export function changeRole(
  context: RoleContext,
  request: ChangeRequest,
  actor: Actor,
  { scope, id }: RoleReference,
  draft: RoleChange,
): Promise<RoleRecord> {
  const { roles, graph } = context;
  return change(context, request, async (transaction) => {
    const role = findChangeableRole(graph, { scope, id });
    const newRole = applyRoleChange(role, draft);
    refuseRoleChange(graph, actor, role, newRole);
    refuseLostOwnership(graph, actor, (records) => records.putRole(newRole));
    await roles.update(transaction, newRole);
    return newRole;
  });
}

/**
 * @throws Refusal 409 if the new name is taken; 403 if the role has, or would have, more permissions than the
 * actor.
 */
export function refuseRoleChange(
  graph: AccessGraph,
  actor: Actor,
  role: RoleRecord,
  newRole: RoleRecord,
): void {
  refuseTakenName(graph, newRole.name, role.projectId, role.id);
  refuseLackedPermission(actor, [...role.permissions, ...newRole.permissions], role.projectId);
}

/** Absent fields stay, and so do a name and permissions of null; a description of null is removed. */
export function applyRoleChange(role: RoleRecord, draft: RoleChange): RoleRecord {
  return {
    ...role,
    name: draft.role_name ?? role.name,
    description: draft.description === undefined ? role.description : draft.description || null,
    permissions: draft.permissions ? inCatalogueOrder(draft.permissions) : role.permissions,
  };
}

/** The permissions that a change adds and removes. */
export function comparePermissions(
  { permissions: before }: Pick<RoleRecord, "permissions">,
  { permissions: after }: Pick<RoleRecord, "permissions">,
) {
  return {
    added: after.filter((permission) => !before.includes(permission)),
    removed: before.filter((permission) => !after.includes(permission)),
  };
}
