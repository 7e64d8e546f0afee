import { type ChangeContext, type ChangeRequest, change } from "../../changes/change";
import type { Clock } from "../../effects";
import { findCallbackLog } from "./find-callback-log";
import type { TaskCallbackStore } from "./task-callback-store";

interface ResendContext extends ChangeContext {
  readonly taskCallbacks: Pick<TaskCallbackStore, "find" | "sendAgain">;
  readonly effects: { readonly clock: Clock };
}

/**
 * Queues a task's callback again, starting with the first try.
 * @param findTask finds the task if the caller may change it. It is called within the transaction.
 * @throws Refusal 404 for a task that has not ended, or that has no callback.
 */
export function resendCallback(
  context: ResendContext,
  request: ChangeRequest,
  findTask: () => Promise<{ readonly id: string }>,
): Promise<void> {
  return change(context, request, async (transaction) => {
    const { id } = await findTask();
    await findCallbackLog(context, id);
    await context.taskCallbacks.sendAgain(transaction, id, context.effects.clock.nowMs());
  });
}
