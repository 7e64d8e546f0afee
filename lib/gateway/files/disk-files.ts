import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { syncPath } from "@/lib/durability/sync-path";
import type { LocalFiles } from "./file-storage";

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
