import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { LocalFiles } from "../../tasks/file-storage";

/** Stores the files of each task in a separate folder within `folder`. */
export function createDiskOutputFiles(folder: string): LocalFiles {
  const joinTaskFolder = (taskId: string) => join(folder, taskId);
  const joinFilePath = (taskId: string, position: number) => join(joinTaskFolder(taskId), String(position));
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
    async write(taskId, position, bytes) {
      await mkdir(joinTaskFolder(taskId), { recursive: true, mode: 0o700 });
      const path = joinFilePath(taskId, position);
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
      return writtenBytes;
    },
    async open(taskId, position) {
      const file = Bun.file(joinFilePath(taskId, position));
      if (!(await file.exists())) return null;
      return { bytes: file.size, read: (start, end) => file.slice(start, end).stream() };
    },
    async deleteOld(beforeMs) {
      for (const id of await ids().catch(() => [])) {
        const stats = await stat(joinTaskFolder(id)).catch(() => null);
        if (stats && stats.mtimeMs < beforeMs) await rm(joinTaskFolder(id), { recursive: true, force: true });
      }
    },
    async delete(taskId) {
      await rm(joinTaskFolder(taskId), { recursive: true, force: true });
    },
  };
}
