import type { Me } from "@/lib/contract/operations/sessions";

type Held = Pick<Me, "permissions" | "project_permissions">;

/** What somebody may do in a project: what the roles held there give, or those of the organization where none is held there. */
export function permissionsIn(
  { permissions, project_permissions }: Held,
  projectId: string | null,
): readonly string[] {
  return project_permissions.find(({ project_id }) => project_id === projectId)?.permissions ?? permissions;
}
