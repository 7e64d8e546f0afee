import { Database } from "bun:sqlite";
import { stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Bucket, BucketFault, type OutputsDraft, toBucketSettings } from "../files/bucket/bucket";
import { buildKey } from "../files/bucket/bucket-files";
import type { TaskFile } from "../tasks/task-store.sql";
import { limitFaults } from "./checks/check";
import type { Finding } from "./examine";

/** The most tasks, and the most uploads, to look for. Each file may need a request to the bucket. */
const MAX_IDS = 200;

interface Row {
  readonly id: string;
  /** `TaskFile[]` as JSON. */
  readonly files: string;
}

/**
 * Looks on this disk and in the bucket for the files of the latest tasks, uploads and results.
 * @param path the database file, or a copy of the database.
 * @param dataFolder where files wait for their upload.
 */
export async function examineOutputs(
  path: string,
  outputs: OutputsDraft,
  dataFolder = dirname(path),
): Promise<Finding> {
  const bucket = new Bucket(toBucketSettings(outputs), { monotonicMs: () => performance.now() });
  const title = `I23 files are on this disk or in ${bucket.name}`;
  let [localCount, remoteCount] = [0, 0];
  const faults: string[] = [];
  try {
    for (const { id, files, folder } of latestFiles(path)) {
      for (const [position, { bytes }] of (JSON.parse(files) as TaskFile[]).entries()) {
        const key = buildKey(id, position);
        const local = await stat(join(dataFolder, folder, key)).catch(() => null);
        if (local?.size === bytes) localCount++;
        else {
          remoteCount++;
          const fault = describeFault(await bucket.findSize(key), bytes);
          if (fault) faults.push(`The file ${key} ${fault}: restore it from a copy of the bucket.`);
        }
      }
    }
  } catch (error) {
    if (!(error instanceof BucketFault)) throw error;
    faults.push(error.message);
  }
  const summary = `${localCount + remoteCount} files: those of the latest ${MAX_IDS} tasks, and the latest ${MAX_IDS} uploads and results; ${localCount} on this disk, where they wait for their upload or a batch`;
  return { title, checked: summary, faults: limitFaults(faults) };
}

function latestFiles(path: string): (Row & { readonly folder: string })[] {
  using database = new Database(path, { readonly: true, strict: true });
  const tasks = database.query<Row, [number]>(
    `SELECT id, outputs AS files FROM tasks WHERE status = 'succeeded' AND outputs_deleted_at_ms IS NULL
     ORDER BY id DESC LIMIT ?`,
  );
  const uploads = database.query<Row, [number]>(
    `SELECT id, json_array(json_object('bytes', bytes)) AS files FROM files
     WHERE stored_at_ms IS NOT NULL AND coalesce(expires_at_ms > unixepoch() * 1000, 1)
     ORDER BY id DESC LIMIT ?`,
  );
  return [
    ...tasks.all(MAX_IDS).map((row) => ({ ...row, folder: "outputs" })),
    ...uploads.all(MAX_IDS).map((row) => ({ ...row, folder: "files" })),
  ];
}

function describeFault(storedBytes: number | null, bytes: number): string | null {
  if (storedBytes === null) return "is gone";
  return storedBytes === bytes ? null : `has ${storedBytes} bytes in the bucket instead of ${bytes}`;
}
