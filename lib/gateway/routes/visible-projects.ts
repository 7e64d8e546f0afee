import type { Permission } from "@/lib/contract/permissions";
import type { Caller } from "../access/caller";
import type { AccessGraph } from "../roles/access-graph";

/** The ids of the projects in which a caller holds a permission; null where it is held in the whole organization. */
export function projectsWith(
  permission: Permission,
  graph: AccessGraph,
  { projectId, holder, permissionsIn }: Caller,
): string[] | null {
  if (projectId !== null) return [projectId];
  if (permissionsIn(null).has(permission)) return null;
  return graph.projectPermissionsOf(holder).flatMap(([id, held]) => (held.has(permission) ? [id] : []));
}

/** Of those, the one that is asked for. */
export function within(visible: string[] | null, asked: string | undefined): string[] | null {
  if (asked === undefined) return visible;
  return visible === null || visible.includes(asked) ? [asked] : [];
}
