import { permissionsIn } from "@/lib/console/permissions-in";
import type { Role } from "@/lib/contract/operations/roles";
import type { Me } from "@/lib/contract/operations/sessions";
import { roleIdOf } from "@/lib/contract/role-words";

/** What the signed-in person holds; null where the gateway doesn't say, and is left to refuse. */
export type Held = Pick<Me, "permissions" | "project_permissions"> | null;

type Carried = { readonly permissions: readonly string[] };

/** A permission that a role carries and its giver lacks, in a project or, with null, in the organization; null where they may give it. */
export function excessOf({ permissions }: Carried, held: Held, projectId: string | null): string | null {
  if (!held) return null;
  const own = permissionsIn(held, projectId);
  return permissions.find((permission) => !own.includes(permission)) ?? null;
}

/** Of the predefined roles somebody may give, the one that carries least: what a new member begins with unless more is meant. */
export function leastRole<One extends Carried & Pick<Role, "predefined_role">>(
  roles: readonly One[],
  held: Held,
): One | undefined {
  return roles
    .filter((role) => role.predefined_role && excessOf(role, held, null) === null)
    .toSorted((one, other) => one.permissions.length - other.permissions.length)[0];
}

/** Finds the role that a `role` field names, by its word or by its id. */
export function findRole(roles: readonly Role[], word: string, isProject = false): Role | undefined {
  const id = roleIdOf(word, isProject);
  return roles.find((role) => role.id === id);
}
