import type { Permission } from "@/lib/contract/access/permissions";
import type { AccessGraph } from "../roles/access-graph";
import type { Caller } from "./caller";

/** The ids of the projects in which a caller holds a permission; null if the caller holds it in every project. */
export function listVisibleProjects(
  graph: AccessGraph,
  { projectId, holder, permissionsIn, onlyIn }: Caller,
  permission: Permission,
): string[] | null {
  if (projectId !== null) return [projectId];
  if (permissionsIn(null).has(permission)) return onlyIn ? [...onlyIn] : null;
  const visible = graph
    .listProjectPermissions(holder)
    .flatMap(([id, permissions]) => (permissions.has(permission) ? [id] : []));
  return onlyIn ? visible.filter((id) => onlyIn.includes(id)) : visible;
}

/** The projects to list: the visible ones, narrowed to those the caller asked for; null for all. */
export function narrowTo(visible: string[] | null, projectId: string | undefined): string[] | null {
  if (projectId === undefined) return visible;
  return visible === null || visible.includes(projectId) ? [projectId] : [];
}
