import type { Me } from "@/lib/contract/operations/sessions";

type Held = Pick<Me, "permissions" | "project_permissions">;

/** A user's permissions in a project: those of the roles held there, or the organization's where none is held there. */
export function permissionsIn(
  { permissions, project_permissions }: Held,
  projectId: string | null,
): readonly string[] {
  return project_permissions.find(({ project_id }) => project_id === projectId)?.permissions ?? permissions;
}
