import { type ChangeContext, systemChange } from "../changes/change";
import type { Clock } from "../effects";
import { conflict } from "../refusal";
import type { TaskRecord, TaskStore } from "./task-store";

export interface CancelContext extends ChangeContext {
  readonly tasks: TaskStore;
  readonly effects: { readonly clock: Clock };
}

/**
 * Requests the cancellation of a task. The process that works on it tells the provider, and ends the task once the provider has answered.
 * @throws Refusal 409 for a task that has ended.
 */
export async function cancelTask(
  context: CancelContext,
  { id, status, endedAtMs }: TaskRecord,
): Promise<TaskRecord | null> {
  if (endedAtMs !== null) {
    const message = `The task "${id}" has ended: it ${status === "canceled" ? "was canceled" : status}.`;
    throw conflict("task_id", message, "task_ended");
  }
  const { tasks, effects } = context;
  await systemChange(context, "task", (transaction) =>
    tasks.requestCancel(transaction, id, effects.clock.nowMs()),
  );
  return tasks.find(id);
}
