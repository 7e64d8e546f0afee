import { WORK_RENEW_MS } from "../claim-times";
import type { TaskOutput } from "../ledger/held-task";
import {
  OutputMissing,
  type RemoteFile,
  type RemoteState,
  type RemoteTask,
  UnusableOutput,
} from "../providers/media-client";
import { endCanceledTask, failTask, giveUpTask, succeedTask } from "./end-task";
import { findStoredOutput } from "./task-outputs";
import { isPastDeadline, PROVIDER_STATE_UNKNOWN, pause, storeOutcome, type TaskWork } from "./task-work";

export const OVERDUE = { code: "task_timed_out", message: "The provider did not finish within 24 hours." };

const GONE = { code: "provider_lost_it", message: "The provider knows no such task any more." };
const UNDELIVERED = {
  code: "provider_output",
  message: "The provider made the files, but they could not be fetched from it.",
};
/** How often a missing file is asked for, in five minutes. */
const MAX_MISSING = 10;

/** Asks the provider for the order's state, and fetches its files once they are made. */
export async function followOrder(work: TaskWork, remote: RemoteTask, isOverdue: boolean): Promise<void> {
  const { context, task, client, signal, closing } = work;
  let state: RemoteState;
  try {
    state = await client.poll(remote, signal);
    // Only what still runs is canceled, since some providers delete what they have made.
    if (state.kind === "running" && (task.isCancelRequested || isOverdue)) {
      await client.cancel(remote, signal);
      state = await client.poll(remote, signal);
    }
  } catch (error) {
    if (closing.aborted) throw error;
    context.logFault(task.id, error);
    if (error instanceof UnusableOutput) return failTask(context, task, unusable(error));
    return isOverdue ? giveUpTask(context, task, PROVIDER_STATE_UNKNOWN) : pause(context, task);
  }
  if (state.kind === "succeeded") return fetchFiles(work, remote, state.files, isOverdue);
  if (state.kind === "failed") return failTask(context, task, { code: state.code, message: state.message });
  if (task.isCancelRequested) return endCanceledTask(context, task);
  if (isOverdue) return failTask(context, task, OVERDUE);
  if (state.kind === "canceled") return endCanceledTask(context, task);
  if (state.kind === "gone") return failTask(context, task, GONE);
  const dueAtMs = context.effects.clock.nowMs() + client.pollMs;
  await context.claims.save(task.id, {
    progress: state.progress,
    failures: 0,
    isStateUnknown: false,
    dueAtMs,
  });
}

/** A task whose files can't be fetched costs nothing, since its provider's state is known and nothing is delivered. */
async function fetchFiles(
  work: TaskWork,
  remote: RemoteTask,
  files: readonly RemoteFile[],
  isOverdue: boolean,
): Promise<void> {
  const { context, task } = work;
  const outputs: TaskOutput[] = [];
  try {
    for (const file of files) {
      const stored = await findStoredOutput(work, file.position);
      outputs.push(stored ?? (await fetchFile(work, remote, file)));
    }
  } catch (error) {
    if (work.closing.aborted) throw error;
    context.logFault(task.id, error);
    if (error instanceof UnusableOutput) return failTask(context, task, unusable(error));
    const isGone = error instanceof OutputMissing && task.failures >= MAX_MISSING;
    return isGone || isOverdue ? failTask(context, task, UNDELIVERED) : pause(context, task);
  }
  return storeOutcome(work, () => succeedTask(context, task, outputs));
}

async function fetchFile(work: TaskWork, remote: RemoteTask, file: RemoteFile): Promise<TaskOutput> {
  const { context, task, client, signal } = work;
  const { mimeType, bytes: pieces } = await client.open(remote, file, signal);
  const bytes = await context.outputFiles.write(task.id, file.position, keepClaim(work, pieces));
  return { type: task.family, mimeType, bytes };
}

/** A file may take longer than a claim: as long as its bytes arrive, it is waited for until the task's deadline. */
async function* keepClaim(
  { context, task, extend }: TaskWork,
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const {
    claims,
    effects: { clock },
  } = context;
  let renewedAtMs = clock.monotonicMs();
  for await (const piece of pieces) {
    extend();
    if (clock.monotonicMs() - renewedAtMs >= WORK_RENEW_MS) {
      renewedAtMs = clock.monotonicMs();
      if (isPastDeadline(context, task)) throw new Error("The file took too long");
      if (!(await claims.renew(task.id, clock.nowMs()))) throw new Error("Another process works on the task");
    }
    yield piece;
  }
}

/** The customer isn't charged for files that can't be used, though the provider may charge for them. */
function unusable({ message }: UnusableOutput) {
  return { code: "provider_output", message };
}
