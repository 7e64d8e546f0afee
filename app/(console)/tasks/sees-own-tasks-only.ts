import type { Viewer } from "@/components/object-page/object-page";
import { holdsAnywhere, holdsInProject } from "@/lib/console/permissions-in";

/** Whether somebody may not read a project's tasks, or those of any project, and so sees those that they made. */
export function seesOwnTasksOnly({ held }: Pick<Viewer, "held">, projectId: string | undefined): boolean {
  return projectId === undefined
    ? !holdsAnywhere(held, "api.tasks.read")
    : !holdsInProject(held, projectId, "api.tasks.read");
}
