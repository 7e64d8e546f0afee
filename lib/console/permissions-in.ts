import type { Permission } from "@/lib/contract/access/permissions";
import type { Me } from "@/lib/contract/operations/sign-in/sessions";

/** The permissions of the signed-in person, as the gateway reports them. It enforces them anyway. */
export type HeldPermissions = Pick<Me, "permissions" | "project_permissions">;

/**
 * Returns a person's permissions in a project. With a role there, the gateway lists them together with the
 * organization's; otherwise they are the organization's.
 */
export function permissionsIn(
  { permissions, project_permissions }: HeldPermissions,
  projectId: string | null,
): readonly string[] {
  return project_permissions.find(({ project_id }) => project_id === projectId)?.permissions ?? permissions;
}

/**
 * Returns whether a person has a permission in the organization. True if the gateway doesn't report permissions, which
 * it enforces anyway.
 */
export function holdsInOrganization(
  heldPermissions: Pick<HeldPermissions, "permissions"> | null | undefined,
  permission: Permission,
): boolean {
  return heldPermissions?.permissions.includes(permission) ?? true;
}

/**
 * Returns whether a person has a permission in a project, or in the organization if `projectId` is null. True if the
 * gateway doesn't report permissions, which it enforces anyway.
 */
export function holdsInProject(
  heldPermissions: HeldPermissions | null,
  projectId: string | null,
  permission: Permission,
): boolean {
  return heldPermissions === null || permissionsIn(heldPermissions, projectId).includes(permission);
}

/** Returns whether the gateway reports that a person has a permission in the organization. */
export function isKnownToHold(
  heldPermissions: Pick<HeldPermissions, "permissions"> | null,
  permission: Permission,
): boolean {
  return heldPermissions?.permissions.includes(permission) ?? false;
}

/** Returns whether a person has any permission, in the organization or in a project. */
export function holdsAnything({ permissions, project_permissions }: HeldPermissions): boolean {
  return [{ permissions }, ...project_permissions].some((held) => held.permissions.length > 0);
}

/**
 * Returns whether a person has a permission in the organization or in any project. True if the gateway doesn't report
 * permissions, which it enforces anyway.
 */
export function holdsAnywhere(heldPermissions: HeldPermissions | null, permission: Permission): boolean {
  return (
    heldPermissions === null ||
    [heldPermissions, ...heldPermissions.project_permissions].some(({ permissions }) =>
      permissions.includes(permission),
    )
  );
}

/** Returns the permissions that a person has in the organization or in at least one of the projects. */
export function permissionsInAny(
  { permissions, project_permissions }: HeldPermissions,
  projectIds: readonly string[],
): readonly string[] {
  const projects = new Set(projectIds);
  const held = project_permissions.filter(({ project_id }) => projects.has(project_id));
  return [...new Set([permissions, ...held.map((one) => one.permissions)].flat())];
}
