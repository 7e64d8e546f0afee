import type { Permission } from "@/lib/contract/permissions";
import type { AccessGraph } from "../roles/access-graph";
import type { Caller } from "./caller";

/** The ids of the projects in which a caller holds a permission; null where it holds for every project. */
export function visibleProjects(
  graph: AccessGraph,
  { projectId, holder, permissionsIn }: Caller,
  permission: Permission,
): string[] | null {
  if (projectId !== null) return [projectId];
  if (permissionsIn(null).has(permission)) return null;
  return graph.projectPermissionsOf(holder).flatMap(([id, held]) => (held.has(permission) ? [id] : []));
}

/** Those of the visible projects that a caller asked for; null where nothing narrows them. */
export function narrowTo(visible: string[] | null, asked: string | undefined): string[] | null {
  if (asked === undefined) return visible;
  return visible === null || visible.includes(asked) ? [asked] : [];
}
