import type { Permission } from "@/lib/contract/access/permissions";
import type { RoleChange } from "@/lib/contract/operations/people/roles";
import { catchRefusal, type Refusal } from "../refusal";
import type { Scope } from "../scope";
import type { AccessGraph, HeldRole, Role } from "./access-graph";
import { type Actor, refuseLostOwnership } from "./actor";
import type { Principal, RoleRecord } from "./role-store.sql";
import { applyRoleChange, findChangeableRole, type RoleReference, refuseRoleChange } from "./roles";

/** What a change of a role does to one of its holders. */
interface Effect {
  readonly id: string;
  readonly gains: readonly Permission[];
  readonly loses: readonly Permission[];
  /** Other roles by which the holder has, before and after, what the role gains or loses. */
  readonly keptBy: readonly Role[];
}

export interface RolePreview {
  readonly role: RoleRecord;
  readonly added: readonly Permission[];
  readonly removed: readonly Permission[];
  /** All members who hold the role, with how they hold it: themselves, or through groups. */
  readonly members: readonly (Effect & { readonly heldBy: readonly Principal[] })[];
  /** The groups that hold the role themselves. */
  readonly groups: readonly (Effect & { readonly userIds: readonly string[] })[];
  /** Why the actor may not make the change; null if they may. */
  readonly refusal: Refusal | null;
  /** Who may do what after the change. */
  readonly graphAfter: AccessGraph;
}

/** The effects of a role's change, before it is made. @throws Refusal 404; 403 for a predefined role. */
export function previewRole(
  graph: AccessGraph,
  actor: Actor,
  { scope, id }: RoleReference,
  draft: RoleChange,
): RolePreview {
  const role = findChangeableRole(graph, { scope, id });
  const newRole = applyRoleChange(role, draft);
  const graphAfter = graph.after((records) => records.putRole(newRole));
  const { added, removed } = comparePermissions(role.permissions, newRole.permissions);
  const changed = [...added, ...removed];
  const describeEffect = (holderId: string, before: Iterable<Permission>, after: Iterable<Permission>) => {
    const { added: gains, removed: loses } = comparePermissions([...before], [...after]);
    const kept = changed.filter((permission) => !gains.includes(permission) && !loses.includes(permission));
    return { id: holderId, gains, loses, kept };
  };
  return {
    role: newRole,
    added,
    removed,
    members: listHolders(graph, { scope, id }).map(({ userId, heldBy }) => {
      const held = (access: AccessGraph) => access.findPermissions({ kind: "user", id: userId }, scope);
      const { kept, ...effect } = describeEffect(userId, held(graph), held(graphAfter));
      const others = listRolesIn(scope, (place) => graph.listUserRoles(userId, place));
      return { ...effect, heldBy, keptBy: findKeepers(others, id, kept) };
    }),
    groups: listGroupHolders(graph, { scope, id }).map((groupId) => {
      const others = listRolesIn(scope, (place) => graph.directRoles({ id: groupId }, place));
      const held = (access: AccessGraph) =>
        others.flatMap((other) => access.findRole(other.id)?.permissions ?? []);
      const { kept, ...effect } = describeEffect(groupId, held(graph), held(graphAfter));
      const userIds = graph.userIds().filter((userId) => graph.listGroups(userId).includes(groupId));
      return { ...effect, userIds, keptBy: findKeepers(others, id, kept) };
    }),
    refusal: catchRefusal(() => {
      refuseRoleChange(graph, actor, role, newRole);
      refuseLostOwnership(graph, actor, (records) => records.putRole(newRole));
    }),
    graphAfter,
  };
}

/** The permissions that a change adds and removes, each once. */
function comparePermissions(before: readonly Permission[], after: readonly Permission[]) {
  const missing = (from: readonly Permission[], all: readonly Permission[]) => [
    ...new Set(from.filter((permission) => !all.includes(permission))),
  ];
  return { added: missing(after, before), removed: missing(before, after) };
}

/** The members who hold the role, themselves or through groups. */
function listHolders(graph: AccessGraph, { scope, id }: RoleReference) {
  return graph.userIds().flatMap((userId) => {
    const held = graph.listUserRoles(userId, scope).filter(({ role }) => role.id === id);
    return held.length === 0 ? [] : [{ userId, heldBy: held.map(({ assignment }) => assignment.principal) }];
  });
}

function listGroupHolders(graph: AccessGraph, { scope, id }: RoleReference): string[] {
  return graph
    .assignments()
    .filter((one) => one.roleId === id && one.projectId === scope && one.principal.kind === "group")
    .map(({ principal }) => principal.id);
}

/** The roles that count in a scope: its own, and those of the organization. */
function listRolesIn(scope: Scope, list: (place: Scope) => readonly HeldRole[]): Role[] {
  const held = [...list(null), ...(scope === null ? [] : list(scope))];
  return [...new Set(held.map(({ role }) => role))];
}

function findKeepers(roles: readonly Role[], changedId: string, kept: readonly Permission[]): Role[] {
  return roles.filter(
    ({ id, permissions }) => id !== changedId && kept.some((permission) => permissions.includes(permission)),
  );
}
