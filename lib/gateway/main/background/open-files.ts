import { join } from "node:path";
import { MAX_CALL_MS, MINUTE_MS } from "@/lib/contract/durations";
import { createDiskResultFiles } from "../../batches/result-files";
import { RecordingLength } from "../../calls/recordings/recording-length";
import { FormReceiver } from "../../calls/requests/uploaded-form";
import { systemChange, type Write } from "../../changes/change";
import type { Configuration } from "../../configuration/configuration";
import { Bucket, toBucketSettings } from "../../files/bucket/bucket";
import { BucketFiles, type BucketFilesContext, UNKNOWN_TYPE } from "../../files/bucket/bucket-files";
import { createDiskFiles } from "../../files/file-storage";
import { deleteExpiredFiles } from "../../files/files";
import type { StoreOptions } from "../gateway-options";
import type { State } from "../memory/load-state";
import type { Stores } from "../open-stores";
import { toRetention } from "./prune-store.sql";
import type { SteadyClock } from "./steady-clock";

const POLL_MS = MINUTE_MS;

export type OpenFiles = ReturnType<typeof openFiles>;

/** Opens the storage of uploaded files and batch results, and deletes expired ones. */
export function openFiles(
  options: Pick<StoreOptions, "runtime" | "logFault" | "dataFolder">,
  { files, digests, isAlone }: Pick<Stores, "files" | "digests" | "isAlone">,
  { changes }: Pick<State, "changes">,
  {
    retention,
    outputs,
    steadyClock,
  }: Pick<Configuration, "retention" | "outputs"> & { readonly steadyClock: SteadyClock },
) {
  const { runtime, logFault, dataFolder } = options;
  const folder = join(dataFolder, "files");
  const find = async (id: string) => {
    const file = await files.find(id);
    if (!file) return null;
    return { files: [{ bytes: file.bytes, mimeType: UNKNOWN_TYPE }], mayLeave: !(await files.isRead(id)) };
  };
  const write: Write = (work) => systemChange({ changes }, "file", work);
  const given = { local: createDiskFiles(folder), find, digests, write, isShared: !isAlone };
  const stored = openStoredFiles(options, { outputs }, given);
  const { storedFiles } = stored;
  const incoming = createDiskFiles(join(dataFolder, "incoming"));
  const recordingLength = new RecordingLength(runtime.clock, (reason) => logFault("recordings", reason));
  const prune = async () => {
    if (!steadyClock.isSteady()) return;
    await deleteExpiredFiles({ changes, files, storedFiles, runtime });
    // Older ones were left by a process that died.
    await incoming.deleteOld(Date.now() - MAX_CALL_MS);
  };
  const timer = setInterval(() => void prune().catch((error: unknown) => logFault("files", error)), POLL_MS);
  timer.unref();
  return {
    storedFiles,
    /** Reads files for batches, which take hours. */
    inputFiles: { open: stored.recall },
    resultFiles: createDiskResultFiles(folder),
    publishResult: stored.publish,
    filesMs: toRetention(retention).filesMs,
    formReceiver: new FormReceiver(incoming, logFault),
    recordingLength,
    async close() {
      clearInterval(timer);
      recordingLength.close();
      await stored.close();
    },
  };
}

const UPLOAD_MS = 1_000;

/**
 * Opens a storage of files on this disk. If the configuration names a bucket, they are moved there in the background.
 * `find` describes what is stored under an id.
 */
export function openStoredFiles(
  { runtime, logFault }: Pick<StoreOptions, "runtime" | "logFault">,
  { outputs }: Pick<Configuration, "outputs">,
  given: Pick<BucketFilesContext, "local" | "find" | "digests" | "write" | "isShared">,
) {
  const { local } = given;
  if (!outputs) {
    return { storedFiles: local, recall: local.open, publish: async () => {}, close: async () => {} };
  }
  const bucket = new Bucket(toBucketSettings(outputs), runtime.clock);
  const storedFiles = new BucketFiles({ ...given, bucket, clock: runtime.clock, logFault });
  const timer = setInterval(() => void storedFiles.uploadDue(), UPLOAD_MS);
  timer.unref();
  return {
    storedFiles,
    /** Opens a file for somebody who reads it for hours. */
    recall: (id: string, position: number) => storedFiles.recall(id, position),
    /** Uploads a result before its batch ends. */
    publish: (id: string, bytes: number) => storedFiles.publish(id, 0, bytes),
    async close() {
      clearInterval(timer);
      await storedFiles.close();
    },
  };
}
