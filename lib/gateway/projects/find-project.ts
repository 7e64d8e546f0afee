import { notFound } from "../ports/refusal";
import type { ProjectRecord, ProjectStore } from "./project-store";

/** @throws Refusal 404 when there is no such project. */
export async function findProject(projects: ProjectStore, id: string): Promise<ProjectRecord> {
  const project = await projects.find(id);
  if (!project) throw notFound("project", id, "project_id");
  return project;
}
