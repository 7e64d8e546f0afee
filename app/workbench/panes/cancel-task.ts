import { toast } from "@/components/ui/toast";
import type { Task } from "@/lib/contract/operations/tasks";
import { cancelOwnTask } from "../actions";

/** Asks for a task to be canceled. Says so if that fails, since the task then goes on. */
export async function cancelTask({ id, cancel_requested }: Task): Promise<void> {
  if (cancel_requested) return;
  const reply = await cancelOwnTask({ taskId: id }).catch(() => null);
  // It has ended in the meantime.
  if (reply?.ok || reply?.code === "conflict") return;
  const why = reply?.message ?? "The console can't be reached.";
  toast({ message: `The task was not canceled: ${why}`, tone: "bad" });
}
