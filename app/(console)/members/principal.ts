import { permissionsIn } from "@/lib/console/permissions-in";
import type { ReadId } from "@/lib/console/reads";
import type { Held } from "./give-roles";

/** Who is given roles. */
export type Principal = { readonly type: "user" | "group"; readonly id: string; readonly name: string };

/** Where a role is held; null for the whole organization. */
export type Place = { readonly id: string; readonly name: string } | null;

/** "in Support bot", "in the whole organization". */
export function whereOf(place: Place): string {
  return place ? `in ${place.name}` : "in the whole organization";
}

/** Whether the person may give roles there; where the gateway doesn't say, it is left to refuse. */
export function mayGive(held: Held, place: Place): boolean {
  return !held || permissionsIn(held, place?.id ?? null).includes("api.role_assignments.write");
}

/** The reads that are no longer true once a role was given or taken away. */
export const readsOfRoles: readonly ReadId[] = [
  "listUserRoles",
  "listProjectUserRoles",
  "listGroupRoles",
  "listProjectGroupRoles",
  "listProjectUsers",
  "listProjectGroups",
  "listRoleHolders",
  "listUsers",
  "retrieveUser",
  "explainPermission",
];
