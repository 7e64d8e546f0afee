import type { Permission } from "@/lib/contract/access/permissions";
import type { RoleChange } from "@/lib/contract/operations/people/roles";
import { Refusal } from "../refusal";
import type { Scope } from "../scope";
import type { AccessGraph } from "./access-graph";
import type { Actor } from "./actor";
import { applyRoleChange, comparePermissions, refuseRoleChange } from "./change-role";
import { findChangeableRole, type RoleReference } from "./find-role";
import { refuseLostOwnership } from "./refuse-access-change";
import type { RoleRecord } from "./role-store";

export interface RolePreview {
  readonly role: RoleRecord;
  readonly added: readonly Permission[];
  readonly removed: readonly Permission[];
  /** All members who hold the role, directly or through a group. */
  readonly members: readonly {
    readonly userId: string;
    readonly gains: readonly Permission[];
    readonly loses: readonly Permission[];
  }[];
  /** Why the actor may not make the change; null if they may. */
  readonly refusal: Refusal | null;
}

/** The effects of a role's change, before it is made. @throws Refusal 404; 403 for a predefined role. */
export function previewRole(
  graph: AccessGraph,
  actor: Actor,
  { scope, id }: RoleReference,
  change: RoleChange,
): RolePreview {
  const role = findChangeableRole(graph, { scope, id });
  const newRole = applyRoleChange(role, change);
  const graphAfter = graph.after((records) => records.putRole(newRole));
  const holders = graph
    .userIds()
    .filter((userId) => graph.listUserRoles(userId, scope).some((heldRole) => heldRole.role.id === id));
  return {
    role: newRole,
    ...comparePermissions(role, newRole),
    members: holders.map((userId) => {
      const { added, removed } = comparePermissions(
        findHeldPermissions(graph, userId, scope),
        findHeldPermissions(graphAfter, userId, scope),
      );
      return { userId, gains: added, loses: removed };
    }),
    refusal: catchRefusal(() => {
      refuseRoleChange(graph, actor, role, newRole);
      refuseLostOwnership(graph, actor, (records) => records.putRole(newRole));
    }),
  };
}

function findHeldPermissions(graph: AccessGraph, id: string, scope: Scope) {
  return { permissions: [...graph.findPermissions({ kind: "user", id }, scope)] };
}

function catchRefusal(refuse: () => void): Refusal | null {
  try {
    refuse();
    return null;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}
