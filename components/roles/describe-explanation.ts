import type { PermissionExplanation } from "@/lib/contract/operations/people/permissions";
import { describeScope } from "./principal";

type Path = PermissionExplanation["paths"][number];
type FindName = (projectId: string) => string;

/** Says where a permission is or would be held. */
export function describeHeldIn(projectId: string | null, findName: FindName): string {
  return describeScope(projectId === null ? null : { name: findName(projectId) });
}

/** Describes one path by which a permission is held. */
export function describePath({ role, held_by, project_id }: Path, findName: FindName): string {
  const origin = held_by.type === "group" ? `through the group ${held_by.name}` : "held directly";
  return `By the role ${role.name}, ${origin}, ${describeHeldIn(project_id, findName)}.`;
}

/** Says which role would grant the missing permission. A list below shows what else it would grant. */
export function describeRemedy(least: PermissionExplanation["least_role"], findName: FindName): string {
  if (!least) return "No role that can be held there allows it.";
  const { role, project_id, also_grants: others } = least;
  const remedy = `The role ${role.name} ${describeHeldIn(project_id, findName)} would allow it`;
  if (others.length === 0) return `${remedy}, and nothing besides.`;
  return `${remedy}, and ${others.length === 1 ? "one thing" : `${others.length} things`} besides:`;
}
