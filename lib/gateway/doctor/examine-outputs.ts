import { Database } from "bun:sqlite";
import { stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Bucket } from "../object-store/bucket";
import { BucketFault } from "../object-store/bucket-fault";
import { buildKey } from "../object-store/bucket-output-files";
import { type OutputsDraft, toBucketSettings } from "../object-store/bucket-settings";
import type { TaskFile } from "../tasks/task-store";
import { limitFaults } from "./check";
import type { Finding } from "./examine";

/** Each file is a request to the bucket. */
const MAX_TASKS = 200;

interface Row {
  readonly id: string;
  /** JSON. */
  readonly outputs: string;
}

/** Looks for the files of the latest tasks on this disk and in the bucket. @param path of the database. */
export async function examineOutputs(path: string, outputs: OutputsDraft): Promise<Finding> {
  const bucket = new Bucket(toBucketSettings(outputs));
  const title = `I23 the files of tasks are on this disk or in ${bucket.name}`;
  let [near, far] = [0, 0];
  const faults: string[] = [];
  try {
    for (const { id, outputs: files } of latestTasks(path)) {
      for (const [position, { bytes }] of (JSON.parse(files) as TaskFile[]).entries()) {
        const key = buildKey(id, position);
        const local = await stat(join(dirname(path), "outputs", key)).catch(() => null);
        if (local?.size === bytes) near++;
        else {
          far++;
          const fault = describeFault(await bucket.findSize(key), bytes);
          if (fault) faults.push(`The file ${key} ${fault}: restore it from a copy of the bucket.`);
        }
      }
    }
  } catch (error) {
    if (!(error instanceof BucketFault)) throw error;
    faults.push(error.message);
  }
  const summary = `${near + far} files of the latest ${MAX_TASKS} tasks; ${near} on this disk, where they wait for their upload`;
  return { title, checked: summary, faults: limitFaults(faults) };
}

function latestTasks(path: string): Row[] {
  using database = new Database(path, { readonly: true, strict: true });
  return database
    .query<Row, [number]>(
      `SELECT id, outputs FROM tasks WHERE status = 'succeeded' AND outputs_deleted_at_ms IS NULL
       ORDER BY id DESC LIMIT ?`,
    )
    .all(MAX_TASKS);
}

function describeFault(storedBytes: number | null, bytes: number): string | null {
  if (storedBytes === null) return "is gone";
  return storedBytes === bytes ? null : `has ${storedBytes} bytes in the bucket instead of ${bytes}`;
}
