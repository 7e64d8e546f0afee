"use client";

import { DetailState } from "@/components/object-page/detail-state";
import type { Viewer } from "@/components/object-page/viewer";
import type { ShownRead } from "@/components/queries/states/read-state";
import { paths } from "@/lib/console/paths";
import type { Task } from "@/lib/contract/operations/tasks/task";
import { TaskView } from "./task-view";

type TaskStateProps = { id: string; read: ShownRead<Task>; viewer: Viewer };

/** Shows a task, or the loading or error state of its read. */
export function TaskState({ id, read, viewer }: TaskStateProps) {
  return (
    <DetailState id={id} read={read} noun="task" list={{ href: paths.tasks(), label: "View all tasks" }}>
      {(task) => <TaskView task={task} viewer={viewer} />}
    </DetailState>
  );
}
