import { type ChangeRequest, change } from "../changes/change";
import { findProject } from "./find-project";
import type { ProjectContext } from "./project-context";
import type { ProjectRecord } from "./project-store";

/** Archives a project with immediate effect on its keys. Archiving it again changes nothing. @throws Refusal 404. */
export function archiveProject(
  context: ProjectContext,
  request: ChangeRequest,
  id: string,
): Promise<ProjectRecord> {
  const { projects, effects } = context;
  return change(context, request, async (transaction) => {
    const project = await findProject(projects, id);
    if (project.archivedAtMs !== null) return project;
    const archivedAtMs = effects.clock.nowMs();
    await projects.archive(transaction, id, archivedAtMs);
    return { ...project, archivedAtMs };
  });
}
