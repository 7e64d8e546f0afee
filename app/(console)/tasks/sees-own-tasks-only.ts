import { permissionsIn } from "@/lib/console/permissions-in";
import type { TaskViewer } from "./task-view";

/** Whether somebody may not read a project's tasks, and so sees those that they made. */
export function seesOwnTasksOnly({ held }: Pick<TaskViewer, "held">, projectId: string): boolean {
  return held !== null && !permissionsIn(held, projectId).includes("api.tasks.read");
}
