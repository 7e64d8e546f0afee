import { type ChangeContext, type ChangeRequest, change } from "../changes/change";
import type { Clock } from "../effects";
import { conflict } from "../refusal";
import type { TaskRecord, TaskStore } from "./task-store";

export interface CancelContext extends ChangeContext {
  readonly tasks: TaskStore;
  readonly effects: { readonly clock: Clock };
  /** Makes the worker look for due tasks at once. */
  workOnTasks(): void;
}

/**
 * Requests the cancellation of a task. The process that works on it tells the provider, and ends the task once the
 * provider has answered. A repeated request changes nothing.
 * @param findTask finds the task if the caller may cancel it. It is called within the transaction.
 * @throws Refusal 409 for a task that has ended.
 */
export async function requestCancellation(
  context: CancelContext,
  request: ChangeRequest,
  findTask: () => Promise<TaskRecord>,
): Promise<TaskRecord> {
  const { tasks, effects } = context;
  const task = await change(context, request, async (transaction) => {
    const found = await findTask();
    refuseEnded(found);
    await tasks.requestCancel(transaction, found.id, effects.clock.nowMs());
    return found;
  });
  context.workOnTasks();
  return (await tasks.find(task.id)) ?? task;
}

function refuseEnded({ id, status, endedAtMs }: TaskRecord): void {
  if (endedAtMs === null) return;
  const message = `The task "${id}" has ended: it ${status === "canceled" ? "was canceled" : status}.`;
  throw conflict("task_id", message, "task_ended");
}
