import type { ProjectChange } from "@/lib/contract/operations/projects";
import { findActiveProject } from "./find-project";
import type { ProjectRecord, ProjectStore } from "./project-store";

/** @throws Refusal 404, 409 for an archived project. */
export async function renameProject(
  projects: ProjectStore,
  id: string,
  { name }: ProjectChange,
): Promise<ProjectRecord> {
  const project = await findActiveProject(projects, id);
  if (!name) return project;
  await projects.rename(id, name);
  return { ...project, name };
}
