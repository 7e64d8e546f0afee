import { setTimeout as rest } from "node:timers/promises";
import type { Clock } from "../effects";
import type { TaskRecord, TaskStore } from "./task-store";

const LOOK_MS = 250;

/**
 * Waits for the end of a task.
 * @returns the task as it is after `patienceMs` where it hasn't ended; null once `signal` has aborted, and where there is no task.
 */
export async function untilEnded(
  { tasks, clock }: { readonly tasks: Pick<TaskStore, "find">; readonly clock: Clock },
  id: string,
  { patienceMs, signal }: { readonly patienceMs: number; readonly signal: AbortSignal },
): Promise<TaskRecord | null> {
  const untilMs = clock.monotonicMs() + patienceMs;
  while (!signal.aborted) {
    const task = await tasks.find(id);
    if (!task || task.endedAtMs !== null || clock.monotonicMs() >= untilMs) return task;
    await rest(LOOK_MS, undefined, { signal }).catch(() => undefined);
  }
  return null;
}
