import { mkdir, open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { OutputFiles } from "../../tasks/output-files";

/** Files of tasks in a folder of their own each, under `folder`. */
export function createDiskOutputFiles(folder: string): OutputFiles {
  const folderOf = (taskId: string) => join(folder, taskId);
  const pathOf = (taskId: string, position: number) => join(folderOf(taskId), String(position));
  return {
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
    async delete(taskId) {
      await rm(folderOf(taskId), { recursive: true, force: true });
    },
  };
}
