"use client";

import { useAction } from "@/app/queries/use-action";
import { Button } from "@/components/ui/button";
import { toast } from "@/components/ui/toast";
import type { TaskCallback } from "@/lib/contract/operations/tasks";
import { sendCallback } from "./actions";

/** Tells a task's end once more, from the first try on. */
export function SendCallback({ callback: { task_id, status, tries } }: { callback: TaskCallback }) {
  const send = useAction(sendCallback, {
    changes: ["retrieveTaskCallback"],
    onSuccess: () => void toast({ message: "The callback is being sent again" }),
    onError: ({ problem }) => void toast({ message: problem.message, tone: "bad" }),
  });
  return (
    <Button
      size="small"
      pending={send.isPending}
      // Its first try is under way.
      disabled={status === "pending" && tries.length === 0}
      onClick={() => send.mutate({ taskId: task_id })}
    >
      Send again
    </Button>
  );
}
