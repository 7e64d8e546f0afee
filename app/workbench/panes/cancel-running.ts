import { toast } from "@/components/ui/toast";
import type { StoredAnswer } from "@/lib/console/streaming/stream-chat";
import type { Task } from "@/lib/contract/operations/tasks";
import type { CallActions } from "./call-actions";

const NO_CONSOLE = "The console isn’t responding. Check your connection, then try again.";
const NOT_OWN = "The gateway knows no such call of yours.";

/** Asks for a task to be canceled. Says so if that fails, since the task then goes on. */
export async function cancelTask(
  { id, cancel_requested }: Task,
  cancelOwnTask: CallActions["cancelOwnTask"],
): Promise<void> {
  if (cancel_requested) return;
  const reply = await cancelOwnTask({ taskId: id }).catch(() => null);
  // It has ended in the meantime.
  if (reply?.ok || reply?.code === "conflict") return;
  toast({ message: `The task was not canceled: ${reply?.message ?? NO_CONSOLE}`, tone: "bad" });
}

/**
 * Stops a call that the gateway would continue without this page. Says so if that fails, since the call then goes on and is
 * charged. @returns true if it has ended. `again` waits before the gateway is asked once more; false if that isn't wanted.
 */
export async function cancelStoredCall(
  { name }: StoredAnswer,
  cancelCall: CallActions["cancelCall"],
  again: () => Promise<boolean>,
): Promise<boolean> {
  let reply = await cancelCall({ name }).catch(() => null);
  // The call has only just been sent, and isn't at the gateway yet.
  while (reply && !reply.ok && reply.code === "not_found" && (await again()))
    reply = await cancelCall({ name }).catch(() => null);
  if (reply?.ok) return true;
  const why = reply?.code === "not_found" ? NOT_OWN : (reply?.message ?? NO_CONSOLE);
  toast({ message: `The call was not stopped: ${why}`, tone: "bad" });
  return false;
}
