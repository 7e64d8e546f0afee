import { setTimeout as sleep } from "node:timers/promises";
import type { Task } from "@/lib/contract/operations/tasks/task";
import { describeTask } from "./describe-task";
import type { TaskRecord, TaskStore } from "./task-store";

const POLL_MS = 250;
/** A stream ends by itself; clients connect again. */
const MAX_POLLS = 120;

interface Context {
  readonly tasks: Pick<TaskStore, "find">;
  readonly organization: { readonly currency: string };
}

/**
 * Yields a task, then each change of it; undefined if nothing changed. Ends with the task, when `signal` aborts, and
 * when `isSeen` is false: it is asked before each answer, since the reader may have lost access.
 */
export async function* followTask(
  { tasks, organization }: Context,
  id: string,
  {
    signal,
    isSeen,
  }: { readonly signal: AbortSignal; readonly isSeen: (task: TaskRecord) => Promise<boolean> },
): AsyncGenerator<Task | undefined> {
  let lastText = "";
  for (let polls = 0; polls < MAX_POLLS && !signal.aborted; polls++) {
    if (polls > 0) await sleep(POLL_MS, undefined, { signal }).catch(() => undefined);
    const task = await tasks.find(id);
    if (!task || !(await isSeen(task))) return;
    const description = describeTask(task, organization.currency);
    const text = JSON.stringify(description);
    yield text === lastText ? undefined : description;
    lastText = text;
    if (task.endedAtMs !== null) return;
  }
}
