import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { LocalFiles } from "../../tasks/output-files";

/** Stores the files of each task in a separate folder within `folder`. */
export function createDiskOutputFiles(folder: string): LocalFiles {
  const folderOf = (taskId: string) => join(folder, taskId);
  const pathOf = (taskId: string, position: number) => join(folderOf(taskId), String(position));
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
    pathOf,
    ids,
    async write(taskId, position, bytes) {
      await mkdir(folderOf(taskId), { recursive: true, mode: 0o700 });
      const path = pathOf(taskId, position);
      const unfinished = `${path}.unfinished`;
      let written = 0;
      const file = await open(unfinished, "w", 0o600);
      try {
        for await (const piece of bytes) {
          for (let from = 0; from < piece.byteLength; ) {
            from += (await file.write(piece, from)).bytesWritten;
          }
          written += piece.byteLength;
        }
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(unfinished, path);
      return written;
    },
    async open(taskId, position) {
      const file = Bun.file(pathOf(taskId, position));
      if (!(await file.exists())) return null;
      return { bytes: file.size, read: (start, end) => file.slice(start, end).stream() };
    },
    async deleteOld(beforeMs) {
      for (const id of await ids().catch(() => [])) {
        const found = await stat(folderOf(id)).catch(() => null);
        if (found && found.mtimeMs < beforeMs) await rm(folderOf(id), { recursive: true, force: true });
      }
    },
    async delete(taskId) {
      await rm(folderOf(taskId), { recursive: true, force: true });
    },
  };
}
