import { setTimeout as rest } from "node:timers/promises";
import type { Clock } from "../effects";
import type { TaskRecord, TaskStore } from "./task-store";

const FIRST_LOOK_MS = 250;
/** Many may wait for a provider that hangs: the longer one has waited, the more seldom it looks. */
const LONGEST_LOOK_MS = 2_000;
const GROWTH = 1.2;

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
  let lookMs = FIRST_LOOK_MS;
  while (!signal.aborted) {
    const task = await tasks.find(id);
    if (!task || task.endedAtMs !== null || clock.monotonicMs() >= untilMs) return task;
    await rest(lookMs, undefined, { signal }).catch(() => undefined);
    lookMs = Math.min(lookMs * GROWTH, LONGEST_LOOK_MS);
  }
  return null;
}
