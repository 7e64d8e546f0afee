import type { Permission } from "@/lib/contract/access/permissions";
import type { ProjectCache } from "../projects/projects";
import { invalid, notFound } from "../refusal";
import type { RequestHeaders } from "../request-headers";
import type { AccessGraph } from "../roles/access-graph";
import type { Caller } from "./caller";

/**
 * The project of a call: the caller's own, or the one named in the header `OpenAI-Project`; null if neither is set.
 * @throws Refusal 404; 400 for an archived project.
 */
export function findNamedProject(
  projectCache: Pick<ProjectCache, "find">,
  caller: Caller,
  headers: RequestHeaders,
): string | null {
  const projectId = caller.projectId === null ? headers.get("openai-project") : null;
  if (!projectId) return caller.projectId;
  const project = projectCache.find(projectId);
  if (!project) throw notFound("project", projectId, "project_id");
  const { id, name, archivedAtMs } = project;
  if (archivedAtMs === null) return id;
  const message = `The project "${name}" is archived and answers no calls. Use another project.`;
  throw invalid("OpenAI-Project", message, "project_archived");
}

/** The project that pays for a call. @throws Refusal 400 if no project is named, or 404. */
export function findChargedProject(
  projectCache: Pick<ProjectCache, "find">,
  caller: Caller,
  headers: RequestHeaders,
): string {
  const projectId = findNamedProject(projectCache, caller, headers);
  if (projectId !== null) return projectId;
  const message = "This key belongs to no project: name the project that pays, in the header OpenAI-Project.";
  throw invalid("OpenAI-Project", message, "missing_field");
}

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
