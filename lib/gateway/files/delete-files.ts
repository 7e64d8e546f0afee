import { type ChangeContext, systemChange } from "../changes/change";
import type { Clock } from "../effects";
import type { FileStore } from "./file-store";

const AT_ONCE = 100;
/** Uploads are cut off after 5 minutes; an hour leaves room to spare. */
const MAX_UPLOAD_MS = 3_600_000;

/** Stores the bytes of files. */
export interface FileBytes {
  delete(id: string): Promise<void>;
}

export interface DeleteFilesContext extends ChangeContext {
  readonly files: FileStore;
  readonly fileBytes: FileBytes;
  readonly effects: { readonly clock: Clock };
}

/**
 * Deletes files, except those that a batch is reading. Expires them first, so that no batch starts reading them, and
 * deletes the bytes before the rows, so that an interrupted deletion can be found and finished later.
 * @returns the deleted ones.
 */
export async function deleteFiles(context: DeleteFilesContext, ids: readonly string[]): Promise<string[]> {
  const { files, fileBytes, effects } = context;
  const nowMs = effects.clock.nowMs();
  const expiredIds = await systemChange(context, "file", (transaction) =>
    files.expire(transaction, ids, nowMs),
  );
  for (const id of expiredIds) await fileBytes.delete(id);
  await systemChange(context, "file", (transaction) => files.delete(transaction, expiredIds));
  return expiredIds;
}

/** Deletes expired files and the remains of interrupted uploads. */
export async function deleteExpiredFiles(context: DeleteFilesContext): Promise<void> {
  const nowMs = context.effects.clock.nowMs();
  for (let isMore = true; isMore; ) {
    const ids = await context.files.listOver(nowMs, nowMs - MAX_UPLOAD_MS, AT_ONCE);
    if (ids.length === 0) return;
    await deleteFiles(context, ids);
    isMore = ids.length === AT_ONCE;
  }
}
