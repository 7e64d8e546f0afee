"use client";

import { useRead } from "@/app/queries/use-read";

/** How often what is under way is read again, while the page is looked at. */
export const LOOK_MS = 1_000;

/** A task, read again until it has ended. */
export function useTask(id: string) {
  const task = useRead("retrieveTask", { task_id: id });
  const isUnderWay = task.data?.ended_at === null;
  useRead("retrieveTask", { task_id: id }, { enabled: isUnderWay, refetchInterval: LOOK_MS });
  return task;
}
