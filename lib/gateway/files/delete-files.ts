import { HOUR_MS } from "@/lib/contract/durations";
import { type ChangeContext, type ChangeRequest, change, systemChange } from "../changes/change";
import type { Clock } from "../effects";
import { conflict } from "../refusal";
import type { FileStorage } from "./file-storage";
import type { FileRecord, FileStore } from "./file-store";

const BATCH_SIZE = 100;
/** Uploads are cut off after 5 minutes; an hour leaves room to spare. */
const MAX_UPLOAD_MS = HOUR_MS;

interface DeleteFilesContext extends ChangeContext {
  readonly files: FileStore;
  readonly storedFiles: Pick<FileStorage, "delete">;
  readonly effects: { readonly clock: Clock };
}

/**
 * Deletes a file for whoever asks. A repeated request changes nothing.
 * @param findFile finds the file if the caller may delete it. It is called within the transaction.
 * @throws Refusal 409 for a file that a batch is reading.
 */
export async function deleteFile(
  context: DeleteFilesContext,
  request: ChangeRequest,
  findFile: () => Promise<FileRecord>,
): Promise<FileRecord> {
  const { files, effects } = context;
  const file = await change(context, request, async (transaction) => {
    const found = await findFile();
    if (await files.isRead(found.id)) {
      const message = `A batch is reading "${found.id}". Cancel the batch, or wait until it has ended.`;
      throw conflict("file_id", message, "in_use");
    }
    await files.requestDelete(transaction, found.id, effects.clock.nowMs());
    return found;
  });
  await removeExpired(context, [file.id]);
  return file;
}

/** Deletes files, except those that a batch is reading. */
export async function deleteFiles(context: DeleteFilesContext, ids: readonly string[]): Promise<void> {
  const { files, effects } = context;
  const nowMs = effects.clock.nowMs();
  const expiredIds = await systemChange(context, "file", (transaction) =>
    files.expire(transaction, ids, nowMs),
  );
  await removeExpired(context, expiredIds);
}

/** Deletes expired files and the remains of interrupted uploads. */
export async function deleteExpiredFiles(context: DeleteFilesContext): Promise<void> {
  const nowMs = context.effects.clock.nowMs();
  for (let isMore = true; isMore; ) {
    const ids = await context.files.listOver(nowMs, nowMs - MAX_UPLOAD_MS, BATCH_SIZE);
    if (ids.length === 0) return;
    await deleteFiles(context, ids);
    isMore = ids.length === BATCH_SIZE;
  }
}

/**
 * Removes files that no batch can begin to read, because they have expired: the bytes before the rows, so that an
 * interrupted deletion can be found and finished later.
 */
async function removeExpired(context: DeleteFilesContext, ids: readonly string[]): Promise<void> {
  for (const id of ids) await context.storedFiles.delete(id);
  await systemChange(context, "file", (transaction) => context.files.delete(transaction, ids));
}
