import { constants } from "node:fs";
import { mkdir, open } from "node:fs/promises";
import { join } from "node:path";
import type { ResultFiles } from "../../batches/result-files";

/** Result files under `folder`, each where `createDiskOutputFiles` finds the file at position 0. */
export function createDiskResultFiles(folder: string): ResultFiles {
  return {
    async append(fileId, at, lines) {
      if (lines.length === 0) return at;
      await mkdir(join(folder, fileId), { recursive: true, mode: 0o700 });
      const file = await open(join(folder, fileId, "0"), constants.O_RDWR | constants.O_CREAT, 0o600);
      try {
        await file.truncate(at);
        const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(""));
        for (let from = 0; from < bytes.byteLength; ) {
          from += (await file.write(bytes, from, bytes.byteLength - from, at + from)).bytesWritten;
        }
        await file.sync();
        return at + bytes.byteLength;
      } finally {
        await file.close();
      }
    },
  };
}
