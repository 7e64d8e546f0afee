"use client";

import { useReadOrOwn } from "@/components/queries/reads/use-read-or-own";
import { type HeldPermissions, holdsAnywhere } from "@/lib/console/permissions-in";

/** Polling interval for running tasks while the page is visible. */
export const POLL_MS = 1_000;

/** Reads a task and polls until it has ended. Works for people who can read tasks and for whoever made it. */
export function useTask(id: string, held: HeldPermissions | null) {
  return useReadOrOwn({
    read: "retrieveTask",
    own: "retrieveOwnTask",
    parameters: { task_id: id },
    isOwnOnly: !holdsAnywhere(held, "api.tasks.read"),
    isUnfinished: ({ ended_at }) => ended_at === null,
    pollMs: POLL_MS,
  });
}
