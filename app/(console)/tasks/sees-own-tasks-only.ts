import type { Viewer } from "@/app/object-page/viewer";
import { holdsAnywhere, permissionsIn } from "@/lib/console/permissions-in";

/** Whether somebody may not read a project's tasks, or those of any project, and so sees those that they made. */
export function seesOwnTasksOnly({ held }: Pick<Viewer, "held">, projectId: string | undefined): boolean {
  if (projectId === undefined) return !holdsAnywhere(held, "api.tasks.read");
  return held !== null && !permissionsIn(held, projectId).includes("api.tasks.read");
}
