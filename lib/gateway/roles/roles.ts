import { type Permission, permissions } from "@/lib/contract/access/permissions";
import { predefinedRoles } from "@/lib/contract/access/predefined-roles";
import { newId } from "@/lib/contract/ids";
import type { RoleChange, RoleDraft } from "@/lib/contract/operations/people/roles";
import { foldName } from "@/lib/contract/plain-text";
import { type ChangeContext, type ChangeRequest, change } from "../changes/change";
import type { ClockAndRandom } from "../clock";
import { conflict, notFound, Refusal } from "../refusal";
import type { Scope } from "../scope";
import type { AccessGraph, Role } from "./access-graph";
import { type Actor, refuseLackedPermission, refuseLostOwnership } from "./actor";
import type { RoleRecord, RoleStore } from "./role-store.sql";

/** What the verbs on roles and their holders need. */
export interface RoleContext extends ChangeContext {
  readonly roles: RoleStore;
  readonly graph: AccessGraph;
  readonly runtime: ClockAndRandom;
}

/** Names a role that the scope may use: its own, or a predefined one. */
export interface RoleReference {
  readonly scope: Scope;
  readonly id: string;
}

/** Predefined ones first, then the others, oldest first. */
export function listRoles(graph: AccessGraph, scope: Scope): Role[] {
  return graph.roles().filter((role) => belongsTo(role, scope));
}

/** @throws Refusal 404 if the scope has no such role. */
export function findRole(graph: AccessGraph, id: string, scope: Scope, param = "role_id"): Role {
  const role = graph.findRole(id);
  if (!role || !belongsTo(role, scope)) throw notFound("role", id, param);
  return role;
}

/** A role that may be changed or deleted. @throws Refusal 403 for a predefined one; 404 for an unknown one. */
export function findChangeableRole(graph: AccessGraph, { scope, id }: RoleReference): RoleRecord {
  const role = findRole(graph, id, scope);
  const { createdAtMs } = role;
  if (createdAtMs !== null) return { ...role, createdAtMs };
  const message =
    "Predefined roles can be neither changed nor deleted. Create a role with the same permissions.";
  throw new Refusal(403, "permission_error", "predefined_role", message, { param: "role_id" });
}

export function isPredefined(id: string): boolean {
  return predefinedRoles.some((role) => role.id === id);
}

/** @throws Refusal 409 if another role of the scope has the name, or one that looks like it. */
function refuseTakenName(graph: AccessGraph, name: string, scope: Scope, ownId: string | null): void {
  const namesake = listRoles(graph, scope).find(
    (role) => role.id !== ownId && foldName(role.name) === foldName(name),
  );
  if (namesake) {
    throw conflict("role_name", `There is a role "${namesake.name}" already; give this one another name.`);
  }
}

function belongsTo({ resourceType, projectId }: Role, scope: Scope): boolean {
  if (scope === null) return resourceType === "api.organization";
  return resourceType === "api.project" && (projectId === null || projectId === scope);
}

/** Creates a role. @throws Refusal 409 if its name is taken; 403 if it has more permissions than the actor. */
export function createRole(
  context: RoleContext,
  request: ChangeRequest,
  actor: Actor,
  scope: Scope,
  draft: RoleDraft,
): Promise<RoleRecord> {
  const { roles, graph, runtime } = context;
  return change(context, request, async (transaction) => {
    const createdAtMs = runtime.clock.nowMs();
    const role: RoleRecord = {
      id: newId("role", createdAtMs, runtime.random),
      name: draft.role_name,
      description: draft.description || null,
      permissions: inCatalogueOrder(draft.permissions),
      resourceType: scope === null ? "api.organization" : "api.project",
      projectId: scope,
      createdAtMs,
    };
    refuseTakenName(graph, role.name, scope, null);
    refuseLackedPermission(actor, role.permissions, scope);
    await roles.insert(transaction, role);
    return role;
  });
}

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

/**
 * Deletes a role.
 * @throws Refusal 404; 403 for a predefined role and for one with more permissions than the actor; 409 while a member,
 * a group, a key or an invitation holds it.
 */
export function deleteRole(
  context: RoleContext,
  request: ChangeRequest,
  actor: Actor,
  { scope, id }: RoleReference,
): Promise<void> {
  const { roles, graph, runtime } = context;
  return change(context, request, async (transaction) => {
    const role = findChangeableRole(graph, { scope, id });
    refuseLackedPermission(actor, role.permissions, scope);
    const inUse = (message: string) => conflict("role_id", message, "in_use");
    if (graph.assignments().some(({ roleId }) => roleId === id)) {
      throw inUse(`Members or groups hold the role "${role.name}"; take it from them first.`);
    }
    if (await roles.isHeldByKey(id)) {
      throw inUse(`A key holds the role "${role.name}"; delete that key first.`);
    }
    if (await roles.isInPendingInvite(id, runtime.clock.nowMs())) {
      throw inUse(`An invitation carries the role "${role.name}"; withdraw it first.`);
    }
    await roles.delete(transaction, id);
  });
}

/**
 * Begins a look at what a role allows, or its unsaved draft, and records who did.
 * @returns the permissions to look at. @throws Refusal 404 for an unknown role.
 */
export function viewRole(
  context: RoleContext,
  request: ChangeRequest,
  id: string,
  drafted?: readonly Permission[],
): Promise<readonly Permission[]> {
  return change(context, request, async (transaction) => {
    const role = findRole(context.graph, id, null);
    await context.roles.noteView(transaction, { id, isDraft: drafted !== undefined });
    return drafted === undefined ? role.permissions : inCatalogueOrder(drafted);
  });
}

/** Each permission once, in the catalogue's order, so that equal roles compare as equal. */
function inCatalogueOrder(permissionList: readonly Permission[]): Permission[] {
  return permissions.filter((permission) => permissionList.includes(permission));
}
