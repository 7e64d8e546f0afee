import { describeTask } from "./describe-task";
import type { TaskRecord } from "./task-store";

/** The body of the callback for a task that has ended: JSON. */
export function writeEndedMessage(task: TaskRecord, currency: string): string {
  return JSON.stringify({
    type: `task.${task.status}`,
    timestamp: new Date(task.endedAtMs ?? task.createdAtMs).toISOString(),
    data: describeTask(task, currency),
  });
}
