import { predefinedRoles } from "@/lib/contract/access/predefined-roles";
import { foldName } from "@/lib/contract/plain-text";
import { conflict, notFound, Refusal } from "../refusal";
import type { Scope } from "../scope";
import type { AccessGraph } from "./access-graph";
import type { Role } from "./access-records";
import type { RoleRecord } from "./role-store";

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
export function refuseTakenName(graph: AccessGraph, name: string, scope: Scope, ownId: string | null): void {
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
