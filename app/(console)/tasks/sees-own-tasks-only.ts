import type { Viewer } from "@/app/object-page/viewer";
import { permissionsIn } from "@/lib/console/permissions-in";

/** Whether somebody may not read a project's tasks, and so sees those that they made. */
export function seesOwnTasksOnly({ held }: Pick<Viewer, "held">, projectId: string): boolean {
  return held !== null && !permissionsIn(held, projectId).includes("api.tasks.read");
}
