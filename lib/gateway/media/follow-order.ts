import type { TaskOutput } from "../balance/held-task";
import {
  type RemoteFile,
  type RemoteState,
  type RemoteTask,
  UnusableOutput,
} from "../providers/media-client";
import { cancelTask, failTask, giveUpTask, succeedTask } from "./end-task";
import { PROVIDER_STATE_UNKNOWN, pause, storeOutcome, type TaskWork } from "./task-work";

export const OVERDUE = { code: "task_timed_out", message: "The provider did not finish within 24 hours." };

/** Asks the provider for the order's state, and fetches its files once they are made. */
export async function followOrder(work: TaskWork, remote: RemoteTask, isOverdue: boolean): Promise<void> {
  const { context, task, client, signal } = work;
  let state: RemoteState;
  try {
    if (task.isCancelRequested || isOverdue) await client.cancel(remote, signal);
    state = await client.poll(remote, signal);
    if (state.kind === "succeeded") return await fetchFiles(work, remote, state.files);
  } catch (error) {
    if (signal.aborted) throw error;
    context.logFault(task.id, error);
    if (error instanceof UnusableOutput) return failTask(context, task, unusable(error));
    return isOverdue ? giveUpTask(context, task, PROVIDER_STATE_UNKNOWN) : pause(context, task);
  }
  if (state.kind === "failed") return failTask(context, task, state);
  if (state.kind === "canceled" || task.isCancelRequested) return cancelTask(context, task);
  if (isOverdue) return failTask(context, task, OVERDUE);
  const dueAtMs = context.effects.clock.nowMs() + client.pollMs;
  await context.claims.save(task.id, {
    progress: state.progress,
    failures: 0,
    isStateUnknown: false,
    dueAtMs,
  });
}

async function fetchFiles(work: TaskWork, remote: RemoteTask, files: readonly RemoteFile[]) {
  const { context, task, client, signal } = work;
  const outputs: TaskOutput[] = [];
  for (const file of files) {
    const { mimeType, bytes: pieces } = await client.open(remote, file, signal);
    const bytes = await context.outputFiles.write(task.id, file.position, pieces);
    outputs.push({ type: task.family, mimeType, bytes });
  }
  return storeOutcome(work, () => succeedTask(context, task, outputs));
}

/** The customer isn't charged for files that can't be used, though the provider may charge for them. */
function unusable({ message }: UnusableOutput) {
  return { code: "provider_output", message };
}
