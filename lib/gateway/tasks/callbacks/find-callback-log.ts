import { Refusal } from "../../refusal";
import type { CallbackLog, TaskCallbackStore } from "./task-callback-store";

/** @throws Refusal 404 for a task that has not ended, or that has no callback. */
export async function findCallbackLog(
  { taskCallbacks }: { readonly taskCallbacks: Pick<TaskCallbackStore, "find"> },
  taskId: string,
): Promise<CallbackLog> {
  const log = await taskCallbacks.find(taskId);
  if (log) return log;
  const message = `The task "${taskId}" has no callback: it was made without callback_url, or has not ended.`;
  throw new Refusal(404, "not_found_error", "no_callback", message, { param: "task_id" });
}
