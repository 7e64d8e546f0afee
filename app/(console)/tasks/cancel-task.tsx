"use client";

import { ConfirmedAction } from "@/components/queries/actions/confirmed-action";
import { cancelOwnTask } from "@/components/tasks/cancel-own-task";
import { Button } from "@/components/ui/button";
import type { Task } from "@/lib/contract/operations/tasks/task";
import { cancelTask } from "./actions";

/** Cancels a task after a confirmation. */
export function CancelTask({ task, isOwn }: { task: Task; isOwn: boolean }) {
  return (
    <ConfirmedAction
      renderButton={(ask) => (
        <Button className="w-fit" onClick={ask}>
          Cancel task
        </Button>
      )}
      title="Cancel this task?"
      confirmLabel="Cancel task"
      cancelLabel="Keep task"
      action={isOwn ? cancelOwnTask : cancelTask}
      input={{ taskId: task.id }}
      refetch={["listTasks", "retrieveTask", "listOwnTasks", "retrieveOwnTask"]}
      done={({ status }) => (status === "canceled" ? "Task canceled" : "The task is being canceled")}
    >
      What <code className="font-mono text-sm wrap-anywhere">{task.model}</code> is making is lost. It costs
      nothing unless its provider has finished it before.
    </ConfirmedAction>
  );
}
