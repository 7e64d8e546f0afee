import { join } from "node:path";
import { MAX_CALL_MS } from "@/lib/contract/calls/call-durations";
import { MINUTE_MS } from "@/lib/contract/durations";
import { RecordingLength } from "../../completions/recordings/recording-length";
import { FormReceiver } from "../../completions/requests/uploaded-form";
import type { Configuration } from "../../configuration/configuration";
import { deleteExpiredFiles } from "../../files/delete-files";
import { Bucket } from "../../object-store/bucket";
import { BucketFiles } from "../../object-store/bucket-files";
import { toBucketSettings } from "../../object-store/bucket-settings";
import { createDiskFiles } from "../../store/files/disk-files";
import { createDiskResultFiles } from "../../store/files/disk-result-files";
import { toRetention } from "../../store/retention";
import type { State } from "../memory/load-state";
import type { StoreOptions, Stores } from "../open-stores";
import type { SteadyClock } from "./steady-clock";

const POLL_MS = MINUTE_MS;
const UPLOAD_MS = 1_000;
const MIME_TYPE = "application/octet-stream";

export type OpenFiles = ReturnType<typeof openFiles>;

/** Opens the storage of uploaded files and batch results, and deletes expired ones. */
export function openFiles(
  { effects, logFault, dataFolder }: Pick<StoreOptions, "effects" | "logFault" | "dataFolder">,
  { files }: Pick<Stores, "files">,
  { changes }: Pick<State, "changes">,
  {
    retention,
    outputs,
    steadyClock,
  }: Pick<Configuration, "retention" | "outputs"> & { readonly steadyClock: SteadyClock },
) {
  const folder = join(dataFolder, "files");
  const local = createDiskFiles(folder);
  const find = async (id: string) => {
    const file = await files.find(id);
    return (
      file && { files: [{ bytes: file.bytes, mimeType: MIME_TYPE }], mayLeave: !(await files.isRead(id)) }
    );
  };
  const bucket = outputs && new Bucket(toBucketSettings(outputs));
  const uploads = bucket && new BucketFiles({ local, bucket, find, clock: effects.clock, logFault });
  const storedFiles = uploads ?? local;
  const incoming = createDiskFiles(join(dataFolder, "incoming"));
  const recordingLength = new RecordingLength(effects.clock, (reason) => logFault("recordings", reason));
  const prune = async () => {
    if (!steadyClock.isSteady()) return;
    await deleteExpiredFiles({ changes, files, storedFiles, effects });
    // Older ones were left by a process that died.
    await incoming.deleteOld(Date.now() - MAX_CALL_MS);
  };
  const timers = [
    setInterval(() => void prune().catch((error: unknown) => logFault("files", error)), POLL_MS),
    setInterval(() => void uploads?.uploadDue(), UPLOAD_MS),
  ];
  for (const timer of timers) timer.unref();
  return {
    storedFiles,
    /** Reads files for batches, which take hours. */
    inputFiles: {
      open: (id: string, position: number) =>
        uploads ? uploads.recall(id, position) : local.open(id, position),
    },
    resultFiles: createDiskResultFiles(folder),
    filesMs: toRetention(retention).filesMs,
    formReceiver: new FormReceiver(incoming, logFault),
    recordingLength,
    async close() {
      timers.forEach(clearInterval);
      recordingLength.close();
      await uploads?.close();
    },
  };
}
