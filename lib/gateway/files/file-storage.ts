import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { syncPath } from "@/lib/durability/sync-path";

/** Stores the bytes of files: outputs and inputs of tasks, uploads, and inputs and results of batches. */
export interface FileStorage {
  /** Stores a file atomically, replacing an earlier one. @returns its size in bytes, once it is on disk. */
  write(id: string, position: number, bytes: AsyncIterable<Uint8Array>): Promise<number>;
  /** Null if it doesn't exist. */
  open(id: string, position: number): Promise<StoredFile | null>;
  /** Deletes all files with this id. */
  delete(id: string): Promise<void>;
}

/** Files on this machine's disk. */
export interface LocalFiles extends FileStorage {
  findPath(id: string, position: number): string;
  /** The ids that have files here, complete or not. */
  ids(): Promise<string[]>;
  /** Deletes all files of ids for which no file was written or replaced since `beforeMs`. */
  deleteOld(beforeMs: number): Promise<void>;
}

export interface StoredFile {
  readonly bytes: number;
  /** Reads the bytes from `start` to before `end`. */
  read(start: number, end: number): ReadableStream<Uint8Array>;
}

/** Makes a folder for its owner alone, with its missing parents, unless it exists. Those made survive a power loss. */
export async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  const top = resolve(first);
  for (let made = resolve(folder); made.length >= top.length; made = dirname(made)) {
    await syncPath(dirname(made));
  }
}

/** Stores the files of each id in a folder of its own within `folder`. */
export function createDiskFiles(folder: string): LocalFiles {
  const joinFolder = (id: string) => join(folder, id);
  const joinFilePath = (id: string, position: number) => join(joinFolder(id), String(position));
  const ids = async () => {
    try {
      return await readdir(folder);
    } catch (error) {
      // The folder is made with its first file.
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
      throw error;
    }
  };
  return {
    findPath: joinFilePath,
    ids,
    async write(id, position, bytes) {
      await makeFolder(joinFolder(id));
      const path = joinFilePath(id, position);
      const unfinished = `${path}.unfinished`;
      let writtenBytes = 0;
      const file = await open(unfinished, "w", 0o600);
      try {
        for await (const piece of bytes) {
          for (let from = 0; from < piece.byteLength; ) {
            from += (await file.write(piece, from)).bytesWritten;
          }
          writtenBytes += piece.byteLength;
        }
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(unfinished, path);
      await syncPath(joinFolder(id));
      return writtenBytes;
    },
    async open(id, position) {
      const file = Bun.file(joinFilePath(id, position));
      if (!(await file.exists())) return null;
      return { bytes: file.size, read: (start, end) => file.slice(start, end).stream() };
    },
    async deleteOld(beforeMs) {
      for (const id of await ids().catch(() => [])) {
        const stats = await stat(joinFolder(id)).catch(() => null);
        if (stats && stats.mtimeMs < beforeMs) await rm(joinFolder(id), { recursive: true, force: true });
      }
    },
    async delete(id) {
      await rm(joinFolder(id), { recursive: true, force: true });
    },
  };
}
