import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { syncPath } from "@/lib/durability/sync-path";
import { makeFolder } from "../files/file-storage";

/** A result file that is complete. */
export interface ResultFile {
  readonly id: string;
  readonly projectId: string;
  /** The key or member that created its batch. */
  readonly keyId: string;
  readonly purpose: "batch_output";
  readonly filename: string;
  readonly bytes: number;
  readonly createdAtMs: number;
  readonly expiresAtMs: number | null;
}

/** Files that grow while a batch runs. */
export interface ResultFiles {
  /**
   * Writes lines, each in pieces and with its line end, at the offset `at`, the file's stored length. Overwrites
   * anything beyond it that a dead process wrote.
   * @returns the file's new length, once it is on disk.
   */
  append(fileId: string, at: number, lines: readonly (readonly Uint8Array[])[]): Promise<number>;
}

const WRITTEN_TOGETHER = 256 * 1024;

/** Result files under `folder`, each where `createDiskFiles` finds the file at position 0. */
export function createDiskResultFiles(folder: string): ResultFiles {
  return {
    async append(fileId, at, lines) {
      if (lines.length === 0) return cutOff(join(folder, fileId, "0"), at);
      await makeFolder(join(folder, fileId));
      const file = await open(join(folder, fileId, "0"), constants.O_RDWR | constants.O_CREAT, 0o600);
      try {
        await file.truncate(at);
        let end = at;
        for (const bytes of gatherPieces(lines.flat())) {
          for (let from = 0; from < bytes.byteLength; ) {
            const { bytesWritten } = await file.write(bytes, from, bytes.byteLength - from, end);
            from += bytesWritten;
            end += bytesWritten;
          }
        }
        await file.sync();
        if (at === 0) await syncPath(join(folder, fileId));
        return end;
      } finally {
        await file.close();
      }
    },
  };
}

/** Cuts off what a process wrote after `at` and didn't count before it ended. */
async function cutOff(path: string, at: number): Promise<number> {
  const file = await open(path, constants.O_RDWR).catch(ignoreMissing);
  if (!file) return at;
  try {
    if ((await file.stat()).size > at) {
      await file.truncate(at);
      await file.sync();
    }
    return at;
  } finally {
    await file.close();
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null;
  throw error;
}

/** Joins short pieces, so that a line takes no write of its own. */
function* gatherPieces(pieces: readonly Uint8Array[]): Generator<Uint8Array> {
  let some: Uint8Array[] = [];
  let bytes = 0;
  for (const piece of pieces) {
    some.push(piece);
    bytes += piece.byteLength;
    if (bytes < WRITTEN_TOGETHER) continue;
    yield some.length === 1 ? piece : Buffer.concat(some);
    [some, bytes] = [[], 0];
  }
  if (bytes > 0) yield Buffer.concat(some);
}
