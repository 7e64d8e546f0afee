"use client";

import { ListDrawer } from "@/components/table/list-drawer";
import { paths } from "@/lib/console/paths";
import { titleOf } from "./describe-task";
import { TaskState } from "./task-state";
import type { TaskViewer } from "./task-view";
import { useTask } from "./use-task";

type TaskDrawerProps = {
  id: string;
  /** The tasks of the list, in its order. */
  ids: readonly string[];
  /** Shows another task, or none: "". */
  show: (id: string) => void;
  viewer: TaskViewer;
};

/** A task beside the list it was opened from. */
export function TaskDrawer({ id, ids, show, viewer }: TaskDrawerProps) {
  const task = useTask(id);
  return (
    <ListDrawer
      id={id}
      ids={ids}
      show={show}
      noun="task"
      href={paths.task(id)}
      title={task.data ? titleOf(task.data) : "Task"}
    >
      <TaskState key={id} id={id} read={task} viewer={viewer} />
    </ListDrawer>
  );
}
