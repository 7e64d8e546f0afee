"use client";

import { FileQuestion } from "lucide-react";
import { ReadState, type ShownRead } from "@/app/queries/read-state";
import { EmptyState } from "@/components/ui/empty-state";
import { LoadingLabel, Skeleton } from "@/components/ui/skeleton";
import type { Task } from "@/lib/contract/operations/tasks";
import { TaskView, type TaskViewer } from "./task-view";

type TaskStateProps = { id: string; read: ShownRead<Task>; viewer: TaskViewer };

/** Shows a task, or the loading or error state of its read. */
export function TaskState({ id, read, viewer }: TaskStateProps) {
  return (
    <ReadState
      read={read}
      to="see this task"
      skeleton={<TaskSkeleton />}
      missing={
        <EmptyState icon={FileQuestion} title="There is no such task">
          No task has the id <code className="font-mono break-all">{id}</code>, or it is of a project whose
          tasks you may not see.
        </EmptyState>
      }
    >
      {(task) => <TaskView task={task} viewer={viewer} />}
    </ReadState>
  );
}

function TaskSkeleton() {
  return (
    <div className="grid gap-3">
      <LoadingLabel />
      <Skeleton className="h-6 w-28" />
      <Skeleton className="h-10 w-full" />
      <Skeleton className="h-64 w-full" />
    </div>
  );
}
