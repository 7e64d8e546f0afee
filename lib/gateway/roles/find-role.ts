import { predefinedRoles } from "@/lib/contract/access/predefined-roles";
import { conflict, notFound, Refusal } from "../refusal";
import type { AccessGraph } from "./access-graph";
import type { Role } from "./access-records";
import type { RoleRecord } from "./role-store";

/** The owner of a role: a project or, with null, the organization. */
export type RoleOwner = string | null;

/** Names a role that the owner may use: its own, or a predefined one. */
export interface OwnedRole {
  readonly owner: RoleOwner;
  readonly id: string;
}

/** Predefined ones first, then the others, oldest first. */
export function listRoles(graph: AccessGraph, owner: RoleOwner): Role[] {
  return graph.roles().filter((role) => belongsTo(role, owner));
}

/** @throws Refusal 404 if the place has no such role. */
export function findRole(graph: AccessGraph, id: string, owner: RoleOwner, param = "role_id"): Role {
  const role = graph.findRole(id);
  if (!role || !belongsTo(role, owner)) throw notFound("role", id, param);
  return role;
}

/** A role that may be changed or deleted. @throws Refusal 403 for a predefined one; 404 for an unknown one. */
export function findChangeableRole(graph: AccessGraph, { owner, id }: OwnedRole): RoleRecord {
  const role = findRole(graph, id, owner);
  const { createdAtMs } = role;
  if (createdAtMs !== null) return { ...role, createdAtMs };
  const message =
    "Predefined roles can be neither changed nor deleted. Create a role with the same permissions.";
  throw new Refusal(403, "permission_error", "predefined_role", message, { param: "role_id" });
}

export function isPredefined(id: string): boolean {
  return predefinedRoles.some((role) => role.id === id);
}

/** @throws Refusal 409 if another role of the place has the name, ignoring case. */
export function refuseTakenName(
  graph: AccessGraph,
  name: string,
  owner: RoleOwner,
  ownId: string | null,
): void {
  const namesake = listRoles(graph, owner).find(
    (role) => role.id !== ownId && fold(role.name) === fold(name),
  );
  if (namesake) {
    throw conflict("role_name", `There is a role "${namesake.name}" already; give this one another name.`);
  }
}

function belongsTo({ resourceType, projectId }: Role, owner: RoleOwner): boolean {
  if (owner === null) return resourceType === "api.organization";
  return resourceType === "api.project" && (projectId === null || projectId === owner);
}

function fold(name: string): string {
  return name.normalize("NFKC").toLowerCase();
}
