"use client";

import { TaskOutput } from "@/components/tasks/task-output";
import { Spinner } from "@/components/ui/spinner";
import { Status } from "@/components/ui/status";
import type { Task } from "@/lib/contract/operations/tasks/task";

/** A task in a conversation: its progress, then its files. */
export function TaskResult({ task }: { task: Task }) {
  const { status, cancel_requested, progress, provider_state } = task;
  if (status === "failed" || status === "canceled") return null;
  if (status === "succeeded") return <TaskOutput task={task} isReadable />;
  return (
    <div className="grid gap-2">
      {progress === null && !cancel_requested && (
        <p className="flex items-center gap-2 text-muted">
          <Spinner /> {status === "queued" ? "Waiting to be sent to its provider" : "Being made"}
        </p>
      )}
      {progress !== null && <TaskOutput task={task} isReadable />}
      {cancel_requested && <Status tone="neutral">Its provider is being told to stop</Status>}
      {provider_state === "unknown" && (
        <p className="text-sm text-muted">
          The order was sent and its answer was lost, so nobody knows whether its provider is making it.
        </p>
      )}
      <p className="text-sm text-muted">You can leave this page. The task continues.</p>
    </div>
  );
}
