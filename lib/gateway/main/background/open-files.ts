import { join } from "node:path";
import { HOUR_MS } from "@/lib/contract/durations";
import { RecordingLength } from "../../completions/requests/recording-length";
import { FormReceiver } from "../../completions/requests/uploaded-form";
import { deleteExpiredFiles } from "../../files/delete-files";
import { toFileBytes } from "../../routes/tasks/files";
import { createDiskResultFiles } from "../../store/files/disk-result-files";
import { type RetentionDraft, toRetention } from "../../store/retention";
import { createDiskOutputFiles } from "../../store/tasks/disk-output-files";
import type { State } from "../memory/load-state";
import type { StoreOptions, Stores } from "../open-stores";

const POLL_MS = 60_000;
/** No call takes longer, so older files of calls were left by a process that died. */
const MAX_CALL_MS = 2 * HOUR_MS;

export type OpenFiles = ReturnType<typeof openFiles>;

/** Opens the storage of uploaded files and batch results, and deletes expired ones. */
export function openFiles(
  { effects, logFault, dataFolder }: Pick<StoreOptions, "effects" | "logFault" | "dataFolder">,
  { files }: Pick<Stores, "files">,
  { changes }: Pick<State, "changes">,
  retention: RetentionDraft,
) {
  const folder = join(dataFolder, "files");
  const storedFiles = createDiskOutputFiles(folder);
  const fileBytes = toFileBytes(storedFiles);
  const incoming = createDiskOutputFiles(join(dataFolder, "incoming"));
  const recordingLength = new RecordingLength(effects.clock, (reason) => logFault("recordings", reason));
  const prune = async () => {
    await deleteExpiredFiles({ changes, files, fileBytes, effects });
    await incoming.deleteOld(Date.now() - MAX_CALL_MS);
  };
  const timer = setInterval(() => void prune().catch((error: unknown) => logFault("files", error)), POLL_MS);
  timer.unref();
  return {
    storedFiles,
    fileBytes,
    resultFiles: createDiskResultFiles(folder),
    filesMs: toRetention(retention).filesMs,
    formReceiver: new FormReceiver(incoming, logFault),
    recordingLength,
    close: () => {
      clearInterval(timer);
      recordingLength.close();
    },
  };
}
