import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../effects";
import type { TaskRecord, TaskStore } from "./task-store";

const FIRST_POLL_MS = 250;
/** Many callers may wait for one slow provider, so the interval grows with the time waited. */
const MAX_POLL_MS = 2_000;
const GROWTH = 1.2;

interface Wait {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Called before each look. Throws once whoever waits may not see the task any more. */
  refuseEndedAccess(): void;
}

/**
 * Waits for the end of a task.
 * @throws the error of `refuseEndedAccess`.
 * @returns the task, unfinished after `timeoutMs`; null once `signal` has aborted, or if the task doesn't exist.
 */
export async function followUntilEnded(
  { tasks, clock }: { readonly tasks: Pick<TaskStore, "find">; readonly clock: Clock },
  id: string,
  { timeoutMs, signal, refuseEndedAccess }: Wait,
): Promise<TaskRecord | null> {
  const untilMs = clock.monotonicMs() + timeoutMs;
  let lookMs = FIRST_POLL_MS;
  while (!signal.aborted) {
    refuseEndedAccess();
    const task = await tasks.find(id);
    if (!task || task.endedAtMs !== null || clock.monotonicMs() >= untilMs) return task;
    await sleep(lookMs, undefined, { signal }).catch(() => undefined);
    lookMs = Math.min(lookMs * GROWTH, MAX_POLL_MS);
  }
  return null;
}
