import { join } from "node:path";
import { deleteExpiredFiles } from "../../files/delete-files";
import { fileBytesOf } from "../../routes/tasks/files";
import { createDiskResultFiles } from "../../store/files/disk-result-files";
import { type RetentionDraft, toRetention } from "../../store/retention";
import { createDiskOutputFiles } from "../../store/tasks/disk-output-files";
import type { State } from "../memory/load-state";
import type { StoreOptions, Stores } from "../open-stores";

const LOOK_MS = 60_000;

export type OpenFiles = ReturnType<typeof openFiles>;

/** Where uploaded files and the results of batches are, and what deletes them once they have expired. */
export function openFiles(
  { effects, logFault, dataFolder }: Pick<StoreOptions, "effects" | "logFault" | "dataFolder">,
  { files }: Pick<Stores, "files">,
  { changes }: Pick<State, "changes">,
  retention: RetentionDraft,
) {
  const folder = join(dataFolder, "files");
  const storedFiles = createDiskOutputFiles(folder);
  const fileBytes = fileBytesOf(storedFiles);
  const prune = () => deleteExpiredFiles({ changes, files, fileBytes, effects });
  const timer = setInterval(() => void prune().catch((error: unknown) => logFault("files", error)), LOOK_MS);
  timer.unref();
  return {
    storedFiles,
    fileBytes,
    resultFiles: createDiskResultFiles(folder),
    filesMs: toRetention(retention).filesMs,
    close: () => clearInterval(timer),
  };
}
