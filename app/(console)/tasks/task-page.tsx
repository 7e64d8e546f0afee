"use client";

import { PageCrumb } from "@/components/shell/page-crumb";
import { PageHead } from "@/components/ui/page-head";
import { describeFamily } from "./describe-task";
import { TaskState } from "./task-state";
import type { TaskViewer } from "./task-view";
import { useTask } from "./use-task";

/** The page of a task. */
export function TaskPage({ id, viewer }: { id: string; viewer: TaskViewer }) {
  const task = useTask(id, viewer.held);
  return (
    <>
      <PageCrumb label={id} />
      <PageHead title={task.data ? describeFamily(task.data) : "Task"} />
      <TaskState id={id} read={task} viewer={viewer} />
    </>
  );
}
