import { callAction } from "@/components/queries/actions/call-action";
import type { StartedStream } from "@/components/queries/streams/start-stream";
import { toast } from "@/components/ui/dialog/toast";
import type { StoredAnswer } from "@/lib/console/streaming/stream-chat";
import type { Task } from "@/lib/contract/operations/tasks/task";
import type { CallActions } from "./call-actions";

const NOT_OWN = "The gateway knows no such call of yours.";

/** Asks for a task to be canceled. Says so if that fails, since the task then goes on. */
export async function cancelRunningTask(
  { id, cancel_requested }: Task,
  cancelOwnTask: CallActions["cancelOwnTask"],
): Promise<void> {
  if (cancel_requested) return;
  const reply = await callAction(() => cancelOwnTask({ taskId: id }), "none");
  // It has ended in the meantime.
  if (reply.ok || reply.code === "conflict") return;
  toast({ message: `The task was not canceled: ${reply.message}`, tone: "bad" });
}

/**
 * Stops a call that the gateway would continue without this page. Says so if that fails, since the call then goes on
 * and is charged.
 * @param again waits before the gateway is asked once more; false if that isn't wanted.
 * @returns true if it has ended.
 */
export async function cancelStoredCall(
  { name }: StoredAnswer,
  cancelCall: CallActions["cancelCall"],
  again: () => Promise<boolean>,
): Promise<boolean> {
  const cancel = () => callAction(() => cancelCall({ name }), "none");
  let reply = await cancel();
  // The call has only just been sent, and isn't at the gateway yet.
  while (!reply.ok && reply.code === "not_found" && (await again())) reply = await cancel();
  if (reply.ok) return true;
  reportNotStopped(reply.code === "not_found" ? NOT_OWN : reply.message);
  return false;
}

/** Stops a call that ends with this page. Says so if that fails, since the call then goes on and is charged. */
export async function stopCallOfPage(stream: Pick<StartedStream, "stop">): Promise<void> {
  const problem = await stream.stop();
  if (problem) reportNotStopped(problem.message);
}

function reportNotStopped(why: string): void {
  toast({ message: `The call was not stopped: ${why}`, tone: "bad" });
}
