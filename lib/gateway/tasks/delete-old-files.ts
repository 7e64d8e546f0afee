import { type ChangeContext, systemChange } from "../changes/change";
import type { Clock } from "../effects";
import type { FileStorage } from "../files/file-storage";
import type { TaskStore } from "./task-store";

const BATCH_SIZE = 100;

export interface OldFilesContext extends ChangeContext {
  readonly tasks: TaskStore;
  readonly outputFiles: FileStorage;
  readonly effects: { readonly clock: Clock };
}

/**
 * Deletes the files of tasks that have ended: files first, rows after them, so that an interrupted run is found and
 * finished later.
 */
export async function deleteFiles(context: OldFilesContext, ids: readonly string[]): Promise<void> {
  const { tasks, outputFiles, effects } = context;
  for (const id of ids) await outputFiles.delete(id);
  const nowMs = effects.clock.nowMs();
  await systemChange(context, "task", (transaction) => tasks.noteFilesDeleted(transaction, ids, nowMs));
}

/** Deletes the files of tasks that ended longer than `keptMs` ago. */
export async function deleteOldFiles(context: OldFilesContext, keptMs: number): Promise<void> {
  const { tasks, effects } = context;
  const nowMs = effects.clock.nowMs();
  for (let isMore = true; isMore; ) {
    const ids = await tasks.listWithFiles(nowMs - keptMs, BATCH_SIZE);
    if (ids.length === 0) return;
    await deleteFiles(context, ids);
    isMore = ids.length === BATCH_SIZE;
  }
}
