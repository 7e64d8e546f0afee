"use client";

import type { Viewer } from "@/components/object-page/viewer";
import { PageCrumb } from "@/components/shell/top-bar/page-crumb";
import { describeFamily, describeTask } from "@/components/tasks/describe-task";
import { PageHead } from "@/components/ui/page-head";
import { TaskState } from "./task-state";
import { TaskStatus } from "./task-status";
import { useTask } from "./use-task";

/** The page of a task. */
export function TaskPage({ id, viewer }: { id: string; viewer: Viewer }) {
  const task = useTask(id, viewer.held);
  return (
    <>
      <PageCrumb label={id} />
      <PageHead
        title={task.data ? describeFamily(task.data) : "Task"}
        sentence={task.data && <span className="wrap-anywhere">{describeTask(task.data)}</span>}
        beside={task.data && <TaskStatus task={task.data} />}
      />
      <TaskState id={id} read={task} viewer={viewer} />
    </>
  );
}
