"use client";

import { useRead } from "@/app/queries/use-read";

/** Polling interval for running tasks while the page is visible. */
export const POLL_MS = 1_000;

/** Reads a task and polls until it has ended. */
export function useTask(id: string) {
  const task = useRead("retrieveTask", { task_id: id });
  const isUnderWay = task.data?.ended_at === null;
  useRead("retrieveTask", { task_id: id }, { enabled: isUnderWay, refetchInterval: POLL_MS });
  return task;
}
