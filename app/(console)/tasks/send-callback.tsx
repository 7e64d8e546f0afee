"use client";

import { useAction } from "@/components/queries/actions/use-action";
import { Button } from "@/components/ui/button";
import { toast } from "@/components/ui/dialog/toast";
import type { TaskCallback } from "@/lib/contract/operations/tasks/task-callbacks";
import { sendCallback } from "./actions";

/** Sends a task's callback again, with new attempts from the first on. */
export function SendCallback({ callback: { task_id, status, tries } }: { callback: TaskCallback }) {
  const send = useAction(sendCallback, {
    refetch: ["retrieveTaskCallback"],
    onSuccess: () => void toast({ message: "The callback is being sent again" }),
    onError: ({ problem }) => void toast({ message: problem.message, tone: "bad" }),
  });
  return (
    <Button
      size="small"
      pending={send.isPending}
      // The first attempt is under way.
      disabled={status === "pending" && tries.length === 0}
      onClick={() => send.mutate({ taskId: task_id })}
    >
      Send again
    </Button>
  );
}
