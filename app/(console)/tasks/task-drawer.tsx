"use client";

import type { Viewer } from "@/components/object-page/viewer";
import { describeFamily, describeTask } from "@/components/tasks/describe-task";
import { ListDrawer } from "@/components/ui/drawer/list-drawer";
import { paths } from "@/lib/console/paths";
import { TaskState } from "./task-state";
import { TaskStatus } from "./task-status";
import { useTask } from "./use-task";

type TaskDrawerProps = {
  id: string;
  /** The ids of the list's tasks, in their order. */
  ids: readonly string[];
  /** Shows another task. "" closes the drawer. */
  show: (id: string) => void;
  viewer: Viewer;
};

/** Shows a task next to its list. */
export function TaskDrawer({ id, ids, show, viewer }: TaskDrawerProps) {
  const task = useTask(id, viewer.held);
  return (
    <ListDrawer
      id={id}
      ids={ids}
      show={show}
      noun="task"
      href={paths.task(id)}
      title={task.data ? describeFamily(task.data) : "Task"}
    >
      {task.data && (
        <div className="mb-6 grid gap-3">
          <TaskStatus task={task.data} />
          <p className="wrap-anywhere text-muted">{describeTask(task.data)}</p>
        </div>
      )}
      <TaskState key={id} id={id} read={task} viewer={viewer} />
    </ListDrawer>
  );
}
