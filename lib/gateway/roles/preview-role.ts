import type { RoleChange } from "@/lib/contract/operations/roles";
import type { Permission } from "@/lib/contract/permissions";
import { Refusal } from "../refusal";
import type { AccessGraph } from "./access-graph";
import type { Actor } from "./actor";
import { refuseLostOwnership } from "./change-access";
import { changedRole, differenceOf, refuseRoleChange } from "./change-role";
import { findChangeableRole, type RoleOwner } from "./find-role";
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
  /** Why the actor may not make the change; null where they may. */
  readonly refusal: Refusal | null;
}

/** The effects of a role's change, before it is made. @throws Refusal 404; 403 for a predefined role. */
export function previewRole(
  graph: AccessGraph,
  actor: Actor,
  place: RoleOwner,
  id: string,
  change: RoleChange,
): RolePreview {
  const role = findChangeableRole(graph, id, place);
  const changed = changedRole(role, change);
  const after = graph.after((records) => records.putRole(changed));
  const holders = graph
    .userIds()
    .filter((userId) => graph.rolesOfUser(userId, place).some((held) => held.role.id === id));
  return {
    role: changed,
    ...differenceOf(role, changed),
    members: holders.map((userId) => {
      const { added, removed } = differenceOf(heldBy(graph, userId, place), heldBy(after, userId, place));
      return { userId, gains: added, loses: removed };
    }),
    refusal: refusalOf(() => {
      refuseRoleChange(graph, actor, role, changed);
      refuseLostOwnership(graph, actor, (records) => records.putRole(changed));
    }),
  };
}

function heldBy(graph: AccessGraph, id: string, place: RoleOwner) {
  return { permissions: [...graph.permissionsOf({ kind: "user", id }, place)] };
}

function refusalOf(judge: () => void): Refusal | null {
  try {
    judge();
    return null;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}
