import { predefinedRoles, type ResourceType } from "@/lib/contract/predefined-roles";
import { conflict, notFound, Refusal } from "../ports/refusal";
import type { RoleRecord, RoleStore } from "./role-store";

/** What the roles at `/organization/roles` are held in. */
export const ORGANIZATION: ResourceType = "api.organization";

const predefined = predefinedRoles.filter(({ resourceType }) => resourceType === ORGANIZATION);

export type OrganizationRole = Omit<RoleRecord, "createdAtMs">;

/** The organization's roles: predefined ones first, then the others, oldest first. */
export async function listRoles(roles: RoleStore): Promise<OrganizationRole[]> {
  return [...predefined, ...(await roles.list(ORGANIZATION))];
}

/** @throws Refusal 404 when the organization has no such role. */
export async function findRole(roles: RoleStore, id: string): Promise<OrganizationRole> {
  return predefined.find((role) => role.id === id) ?? (await findOwnRole(roles, id));
}

/** A role that may be changed or deleted. @throws Refusal 403 for a predefined one, 404 when there is none. */
export async function findChangeableRole(roles: RoleStore, id: string): Promise<RoleRecord> {
  if (!isPredefined(id)) return findOwnRole(roles, id);
  const message =
    "Predefined roles can be neither changed nor deleted. Create a role with the same permissions.";
  throw new Refusal(403, "permission_error", "predefined_role", message, { param: "role_id" });
}

export function isPredefined(id: string): boolean {
  return predefined.some((role) => role.id === id);
}

/** @throws Refusal 409 when another role bears the name, in whatever case it is written. */
export async function refuseTakenName(roles: RoleStore, name: string, ownId: string | null): Promise<void> {
  const taken = (await listRoles(roles)).find((role) => role.id !== ownId && fold(role.name) === fold(name));
  if (taken) {
    throw conflict("role_name", `There is a role "${taken.name}" already; give this one another name.`);
  }
}

async function findOwnRole(roles: RoleStore, id: string): Promise<RoleRecord> {
  const role = await roles.find(id);
  if (role?.resourceType !== ORGANIZATION) throw notFound("role", id, "role_id");
  return role;
}

function fold(name: string): string {
  return name.normalize("NFKC").toLowerCase();
}
