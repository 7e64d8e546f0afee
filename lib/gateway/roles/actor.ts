import type { Permission } from "@/lib/contract/access/permissions";
import { conflict, Refusal } from "../refusal";
import type { AccessGraph, AccessRecords, HeldRole, Holder } from "./access-graph";

/** The maker of a change, with their present permissions. */
export interface Actor {
  readonly holder: Holder;
  permissionsIn(projectId: string | null): ReadonlySet<Permission>;
}

/** The member or admin key behind a session, an invitation or a link. */
export interface ActorRef {
  readonly kind: "admin_key" | "user";
  readonly id: string;
}

/**
 * Checks a change before it is made. An owner is a member with every permission in the organization.
 * @throws Refusal 409 if no owner would be left; 403 if the actor would lose their own ownership.
 */
export function refuseLostOwnership(
  graph: AccessGraph,
  { holder }: Actor,
  apply: (records: AccessRecords) => void,
): void {
  const graphAfter = graph.after(apply);
  if (graph.hasOwner() && !graphAfter.hasOwner()) {
    throw conflict(
      "role_id",
      "The organization must keep an Owner. Make somebody else an Owner first.",
      "last_owner",
    );
  }
  if (graph.isOwner(holder) && !graphAfter.isOwner(holder)) {
    const message = "This would take ownership from yourself. Ask another Owner to do it.";
    throw new Refusal(403, "permission_error", "own_ownership", message, { param: "role_id" });
  }
}

/**
 * An actor may not grant or revoke permissions that they don't hold in the same scope.
 * @throws Refusal 403 that names the first missing permission, and the field that asked for it.
 */
export function refuseLackedPermission(
  actor: Actor,
  permissions: Iterable<Permission>,
  projectId: string | null,
  param?: string,
): void {
  const permission = findLackedPermission(actor, permissions, projectId);
  if (permission === null) return;
  const message = `You can give or take only permissions that you hold, and your key or role does not hold ${permission}. Ask an Owner to do it.`;
  throw new Refusal(403, "permission_error", "exceeds_own_permissions", message, {
    permission,
    ...(param === undefined ? {} : { param }),
  });
}

/** The first permission that the actor lacks; null if they hold all. */
export function findLackedPermission(
  actor: Pick<Actor, "permissionsIn">,
  permissions: Iterable<Permission>,
  projectId: string | null,
): Permission | null {
  const actorPermissions = actor.permissionsIn(projectId);
  for (const permission of permissions) if (!actorPermissions.has(permission)) return permission;
  return null;
}

/** `refuseLackedPermission` for roles that somebody holds. */
export function refuseLackedRolePermissions(actor: Actor, heldRoles: readonly HeldRole[]): void {
  for (const { role, assignment } of heldRoles)
    refuseLackedPermission(actor, role.permissions, assignment.projectId);
}
