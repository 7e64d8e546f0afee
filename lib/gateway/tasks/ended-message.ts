import { describeTask } from "./describe-task";
import type { TaskRecord } from "./task-store";

/** The body of the callback that tells a task's end: JSON. */
export function endedMessage(task: TaskRecord, currency: string): string {
  return JSON.stringify({
    type: `task.${task.status}`,
    timestamp: new Date(task.endedAtMs ?? task.createdAtMs).toISOString(),
    data: describeTask(task, currency),
  });
}
