import type { Permission } from "@/lib/contract/permissions";
import type { AccessGraph } from "../roles/access-graph";
import type { Caller } from "./caller";

/** The ids of the projects in which a caller holds a permission; null where the caller holds it in every project. */
export function visibleProjects(
  graph: AccessGraph,
  { projectId, holder, permissionsIn }: Caller,
  permission: Permission,
): string[] | null {
  if (projectId !== null) return [projectId];
  if (permissionsIn(null).has(permission)) return null;
  return graph.projectPermissionsOf(holder).flatMap(([id, held]) => (held.has(permission) ? [id] : []));
}

/** The projects to list: the visible ones, narrowed to those the caller asked for; null for all. */
export function narrowTo(visible: string[] | null, asked: string | undefined): string[] | null {
  if (asked === undefined) return visible;
  return visible === null || visible.includes(asked) ? [asked] : [];
}
