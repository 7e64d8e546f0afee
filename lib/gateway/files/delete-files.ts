import { type ChangeContext, systemChange } from "../changes/change";
import type { Clock } from "../effects";
import type { FileStore } from "./file-store";

const AT_ONCE = 100;
/** An upload takes 5 minutes at most. */
const LONGEST_UPLOAD_MS = 3_600_000;

/** Where the bytes of files are. */
export interface FileBytes {
  delete(id: string): Promise<void>;
}

export interface DeleteFilesContext extends ChangeContext {
  readonly files: FileStore;
  readonly fileBytes: FileBytes;
  readonly effects: { readonly clock: Clock };
}

/** Bytes first, rows after them: a deletion that is interrupted is found again, and finished. */
export async function deleteFiles(context: DeleteFilesContext, ids: readonly string[]): Promise<void> {
  for (const id of ids) await context.fileBytes.delete(id);
  await systemChange(context, "file", (transaction) => context.files.delete(transaction, ids));
}

/** Deletes files that have expired, and what is left of uploads that were broken off. */
export async function deleteExpiredFiles(context: DeleteFilesContext): Promise<void> {
  const nowMs = context.effects.clock.nowMs();
  for (let isMore = true; isMore; ) {
    const ids = await context.files.listOver(nowMs, nowMs - LONGEST_UPLOAD_MS, AT_ONCE);
    if (ids.length === 0) return;
    await deleteFiles(context, ids);
    isMore = ids.length === AT_ONCE;
  }
}
