import type { Me } from "@/lib/contract/operations/sessions";

type OwnPermissions = Pick<Me, "permissions" | "project_permissions">;

/**
 * Returns a user's permissions in a project: from the roles held there, or from the organization's roles if there are
 * none.
 */
export function permissionsIn(
  { permissions, project_permissions }: OwnPermissions,
  projectId: string | null,
): readonly string[] {
  return project_permissions.find(({ project_id }) => project_id === projectId)?.permissions ?? permissions;
}
