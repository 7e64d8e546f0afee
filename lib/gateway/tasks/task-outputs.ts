import type { TaskOutput } from "../ledger/held-task";
import type { MadeFile } from "../providers/media-client";
import { detectMediaType, HEAD_BYTES } from "../providers/media-type";
import { succeedTask } from "./end-task";
import { storeOutcome, type TaskWork } from "./task-work";

/** Stores the files of a task, and charges it once they are on disk. */
export async function deliverFiles(work: TaskWork, files: readonly MadeFile[]): Promise<void> {
  const { context, task } = work;
  const outputs: TaskOutput[] = [];
  for (const [position, { mimeType, bytes: file }] of files.entries()) {
    const write = () => context.outputFiles.write(task.id, position, toPieces(file));
    outputs.push({ type: task.family, mimeType, bytes: await storeOutcome(work, write) });
  }
  return storeOutcome(work, () => succeedTask(context, task, outputs));
}

async function* toPieces(bytes: Uint8Array) {
  yield bytes;
}

/** The files that an earlier step of the task left on disk; null unless all that were ordered are there. */
export async function findStoredOutputs(work: TaskWork): Promise<TaskOutput[] | null> {
  const outputs: TaskOutput[] = [];
  for (let position = 0; position < work.order.count; position++) {
    const output = await findStoredOutput(work, position);
    if (!output) return null;
    outputs.push(output);
  }
  return outputs;
}

/** Null for a file that no earlier step has stored whole. */
export async function findStoredOutput(
  { context, task }: TaskWork,
  position: number,
): Promise<TaskOutput | null> {
  // No file of a task under way is in a bucket yet. One that is down must not keep the task from ending.
  const file = await context.outputFiles.open(task.id, position).catch(() => null);
  const head = file && (await new Response(file.read(0, HEAD_BYTES)).bytes());
  const mimeType = head && detectMediaType(task.family, head);
  return mimeType ? { type: task.family, mimeType, bytes: file.bytes } : null;
}
