import { createHash, type Hash } from "node:crypto";
import type * as z from "zod/mini";
import { HOUR_MS } from "@/lib/contract/durations";
import { formatBytes } from "@/lib/contract/format-bytes";
import { newId } from "@/lib/contract/ids";
import {
  MAX_FILE_BYTES,
  MAX_FILES,
  MAX_STORED_BYTES,
  type uploadFields,
} from "@/lib/contract/operations/tasks/files";
import { cutText, removeControls } from "@/lib/contract/plain-text";
import { type ChangeContext, type ChangeRequest, change, systemChange } from "../changes/change";
import type { Transaction } from "../changes/transactions.sql";
import type { Clock, ClockAndRandom } from "../clock";
import { conflict, Refusal } from "../refusal";
import type { FileStorage } from "./file-storage";
import type { FileRecord, FileStore } from "./file-store.sql";

type UploadFields = z.output<typeof uploadFields>;

export interface UploadContext extends ChangeContext {
  readonly files: FileStore;
  readonly storedFiles: Pick<FileStorage, "write" | "delete">;
  /** Retention of files in milliseconds if an upload sets none; null: forever. */
  readonly filesMs: number | null;
  readonly runtime: ClockAndRandom;
}

const MAX_NAME_LENGTH = 255;
/** The size that an upload without an announced one counts with at first, and its growth with the bytes. */
export const RESERVED_STEP_BYTES = 8 * 1024 * 1024;

interface Upload extends Pick<FileRecord, "projectId" | "keyId"> {
  /** The announced size of the body, which is at least the file's; null if none was announced. */
  readonly announcedBytes: number | null;
}

/** The repeats of an upload with an idempotency key, found once it has arrived. */
interface UploadKey<Original> {
  /** The upload that this one repeats; null if it is the first. @throws Refusal 409 for a key of another request. */
  findOriginal(arrived: ArrivedUpload): Promise<Original | null>;
  keep(transaction: Transaction, arrived: ArrivedUpload, file: FileRecord): Promise<void>;
}

/** What a repeat has in common with the first upload. */
interface ArrivedUpload {
  readonly fields: UploadFields;
  readonly filename: string;
  /** SHA-256 of the file. */
  readonly digest: string;
}

/**
 * Stores an uploaded file in a project, and returns it, or with a key the original that it repeats. `readForm` parses
 * the upload: it passes the bytes to `take` and returns the upload's fields. Bytes count in the project's storage
 * before they are written, announced ones from the start, so that uploads at once can't exceed it.
 * @throws Refusal 409 if the project's storage is full, and the errors of `readForm`. Nothing is stored then.
 */
export async function uploadFile<Original = never>(
  context: UploadContext,
  { projectId, keyId, announcedBytes }: Upload,
  readForm: (
    take: (bytes: AsyncIterable<Uint8Array>, filename: string) => Promise<void>,
  ) => Promise<UploadFields>,
  key: UploadKey<Original> | null = null,
): Promise<{ readonly file: FileRecord } | { readonly original: Original }> {
  const { files, storedFiles, filesMs, runtime } = context;
  const createdAtMs = runtime.clock.nowMs();
  const id = newId("file", createdAtMs, runtime.random);
  const pendingFile: FileRecord = {
    id,
    projectId,
    keyId,
    purpose: "user_data",
    filename: "",
    bytes: Math.min(announcedBytes ?? RESERVED_STEP_BYTES, MAX_FILE_BYTES),
    createdAtMs,
    expiresAtMs: null,
  };
  await systemChange(context, "file", async (transaction) => {
    await refuseTooMuch(files, projectId, { files: 1, bytes: pendingFile.bytes });
    await files.begin(transaction, pendingFile);
  });
  try {
    let [bytes, filename] = [0, ""];
    const hash = key && createHash("sha256");
    const fields = await readForm(async (stream, name) => {
      filename = cleanFilename(name);
      bytes = await storedFiles.write(id, 0, reservePieces(context, pendingFile, stream, hash));
    });
    const arrived = { fields, filename, digest: hash?.digest("hex") ?? "" };
    const original = (await key?.findOriginal(arrived)) ?? null;
    if (original !== null) {
      await deleteFiles(context, [id]);
      return { original };
    }
    const keptMs = fields.expires_after ? fields.expires_after.seconds * 1_000 : filesMs;
    const expiresAtMs = keptMs === null ? null : createdAtMs + keptMs;
    const file = { ...pendingFile, purpose: fields.purpose, filename, bytes, expiresAtMs };
    const nowMs = runtime.clock.nowMs();
    await systemChange(context, "file", async (transaction) => {
      await files.complete(transaction, file, nowMs);
      await key?.keep(transaction, arrived, file);
    });
    return { file };
  } catch (error) {
    await deleteFiles(context, [id]);
    throw error;
  }
}

/**
 * Passes on the bytes of an upload, each once it counts in its project's storage. @throws Refusal 409 once that is
 * full.
 */
async function* reservePieces(
  context: UploadContext,
  { id, projectId, bytes: reservedBytes }: FileRecord,
  stream: AsyncIterable<Uint8Array>,
  hash: Hash | null,
): AsyncGenerator<Uint8Array> {
  const { files } = context;
  let [reservedBytesNow, arrivedBytes] = [reservedBytes, 0];
  for await (const piece of stream) {
    arrivedBytes += piece.byteLength;
    if (arrivedBytes > reservedBytesNow) {
      const newReservation = Math.min(
        Math.max(arrivedBytes, reservedBytesNow + RESERVED_STEP_BYTES),
        MAX_FILE_BYTES,
      );
      await systemChange(context, "file", async (transaction) => {
        await refuseTooMuch(files, projectId, { files: 0, bytes: newReservation - reservedBytesNow });
        await files.reserve(transaction, id, newReservation);
      });
      reservedBytesNow = newReservation;
    }
    hash?.update(piece);
    yield piece;
  }
}

/** @throws Refusal 409 if this much more exceeds a project's storage. */
async function refuseTooMuch(
  files: FileStore,
  projectId: string,
  more: { readonly files: number; readonly bytes: number },
): Promise<void> {
  const usedStorage = await files.storedBy(projectId);
  if (usedStorage.files + more.files <= MAX_FILES && usedStorage.bytes + more.bytes <= MAX_STORED_BYTES)
    return;
  const message = `A project stores at most ${MAX_FILES.toLocaleString("en")} files of ${formatBytes(MAX_STORED_BYTES)} together, including uploads under way: each counts with its Content-Length, or else with what has arrived and up to ${formatBytes(RESERVED_STEP_BYTES)} more. Delete files that are no longer needed.`;
  throw new Refusal(409, "conflict_error", "too_many_files", message, { param: "file" });
}

/** Removes folders and control characters from a name, and cuts it, so that it fits in a header. */
function cleanFilename(rawName: string): string {
  return cutText(removeControls(rawName.replace(/^.*[\\/]/s, "")), MAX_NAME_LENGTH) || "file";
}

const BATCH_SIZE = 100;
/** Uploads are cut off after 5 minutes; an hour leaves room to spare. */
const MAX_UPLOAD_MS = HOUR_MS;

interface DeleteFilesContext extends ChangeContext {
  readonly files: FileStore;
  readonly storedFiles: Pick<FileStorage, "delete">;
  readonly runtime: { readonly clock: Clock };
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
  const { files, runtime } = context;
  const file = await change(context, request, async (transaction) => {
    const found = await findFile();
    if (await files.isRead(found.id)) {
      const message = `A batch is reading "${found.id}". Cancel the batch, or wait until it has ended.`;
      throw conflict("file_id", message, "in_use");
    }
    await files.requestDelete(transaction, found.id, runtime.clock.nowMs());
    return found;
  });
  await removeExpired(context, [file.id]);
  return file;
}

/** Deletes files, except those that a batch is reading. */
async function deleteFiles(context: DeleteFilesContext, ids: readonly string[]): Promise<void> {
  const { files, runtime } = context;
  const nowMs = runtime.clock.nowMs();
  const expiredIds = await systemChange(context, "file", (transaction) =>
    files.expire(transaction, ids, nowMs),
  );
  await removeExpired(context, expiredIds);
}

/** Deletes expired files and the remains of interrupted uploads. */
export async function deleteExpiredFiles(context: DeleteFilesContext): Promise<void> {
  const nowMs = context.runtime.clock.nowMs();
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
