"use client";

import { useRead } from "@/app/queries/use-read";

/** Polling interval for running tasks while the page is visible. */
export const POLL_MS = 1_000;

/** Reads a task and polls until it has ended. Works for people who can read tasks and for whoever made it. */
export function useTask(id: string) {
  const parameters = { task_id: id };
  const permitted = useRead("retrieveTask", parameters);
  const code = permitted.error?.problem.code;
  const isHidden = code === "missing_permission" || code === "not_found";
  const own = useRead("retrieveOwnTask", parameters, { enabled: isHidden });
  const isOwn = isHidden && !(own.error && code === "not_found");
  const task = isOwn ? own : permitted;
  const isUnderWay = task.data?.ended_at === null;
  useRead(isOwn ? "retrieveOwnTask" : "retrieveTask", parameters, {
    enabled: isUnderWay,
    refetchInterval: POLL_MS,
  });
  return task;
}
