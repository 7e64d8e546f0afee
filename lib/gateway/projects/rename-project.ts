import type { ProjectChange } from "@/lib/contract/operations/projects/projects";
import { type ChangeRequest, change } from "../changes/change";
import { findProject } from "./find-project";
import type { ProjectContext } from "./project-context";
import type { ProjectRecord } from "./project-store";

/** @throws Refusal 404. */
export function renameProject(
  context: ProjectContext,
  request: ChangeRequest,
  id: string,
  { name }: ProjectChange,
): Promise<ProjectRecord> {
  return change(context, request, async (transaction) => {
    const project = await findProject(context.projects, id);
    if (!name) return project;
    await context.projects.rename(transaction, id, name);
    return { ...project, name };
  });
}
