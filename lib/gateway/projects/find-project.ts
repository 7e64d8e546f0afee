import { conflict, notFound } from "../refusal";
import type { ProjectRecord, ProjectStore } from "./project-store";

/** @throws Refusal 404 when there is no such project. */
export async function findProject(projects: Pick<ProjectStore, "find">, id: string): Promise<ProjectRecord> {
  const project = await projects.find(id);
  if (!project) throw notFound("project", id, "project_id");
  return project;
}

/** @throws Refusal 409 for an archived project: `param` named it. */
export function refuseArchived({ name, archivedAtMs }: ProjectRecord, param = "project_id"): void {
  if (archivedAtMs === null) return;
  const message = `The project "${name}" is archived: nothing in it changes any more. Use another project.`;
  throw conflict(param, message, "project_archived");
}
