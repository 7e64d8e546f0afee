import type { Configuration } from "../../configuration/configuration";
import { Bucket, toBucketSettings } from "../../files/bucket/bucket";
import { BucketFiles, type BucketFilesContext } from "../../files/bucket/bucket-files";
import type { StoreOptions } from "../open-stores";

const UPLOAD_MS = 1_000;

/**
 * Opens a storage of files on this disk. If the configuration names a bucket, they are moved there in the background.
 * `find` describes what is stored under an id.
 */
export function openStoredFiles(
  { effects, logFault }: Pick<StoreOptions, "effects" | "logFault">,
  { outputs }: Pick<Configuration, "outputs">,
  { local, find, digests, write }: Pick<BucketFilesContext, "local" | "find" | "digests" | "write">,
) {
  if (!outputs) return { storedFiles: local, recall: local.open, close: async () => {} };
  const bucket = new Bucket(toBucketSettings(outputs), effects.clock);
  const storedFiles = new BucketFiles({
    local,
    bucket,
    find,
    digests,
    write,
    clock: effects.clock,
    logFault,
  });
  const timer = setInterval(() => void storedFiles.uploadDue(), UPLOAD_MS);
  timer.unref();
  return {
    storedFiles,
    /** Opens a file for somebody who reads it for hours. */
    recall: (id: string, position: number) => storedFiles.recall(id, position),
    async close() {
      clearInterval(timer);
      await storedFiles.close();
    },
  };
}
