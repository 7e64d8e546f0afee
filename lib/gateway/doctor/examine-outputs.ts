import { Database } from "bun:sqlite";
import { stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { AuditHead } from "../changes/audit/audit-chain.sql";
import { refuseOtherVersion } from "../database/migrate";
import { Bucket, BucketFault, type OutputsDraft, toBucketSettings } from "../files/bucket/bucket";
import { buildKey } from "../files/bucket/bucket-files";
import { LEDGER_START } from "../ledger/writer/ledger-checkpoint.sql";
import type { TaskFile } from "../tasks/task-store.sql";
import { auditCheck, auditedRowsCheck, chainCheck, type KeptHead, readKeptHead } from "./checks/audit-checks";
import { callChecks, holdChecks, limitCheck } from "./checks/call-checks";
import { type Check, limitFaults, readLastSeq, runSafely } from "./checks/check";
import { bodyCheck, conversationCheck } from "./checks/content-checks";
import { databaseChecks, referencesLead } from "./checks/database-checks";
import { correctionCheck, ledgerChecks } from "./checks/ledger-checks";
import { promptCheck } from "./checks/prompt-check";
import { statementCheck } from "./checks/statement-check";
import { dimensionCheck, sumChecks } from "./checks/sum-checks";
import { batchCheck, taskCheck } from "./checks/task-checks";

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

/** The result of one check. */
export interface Finding {
  readonly title: string;
  readonly checked: string;
  readonly faults: readonly string[];
}

const createChecks = (keptHead: KeptHead, knownHead?: AuditHead) => [
  ...ledgerChecks,
  correctionCheck,
  statementCheck,
  chainCheck(keptHead),
  ...callChecks,
  ...holdChecks,
  auditCheck(knownHead),
  auditedRowsCheck,
  limitCheck,
  ...sumChecks,
  dimensionCheck,
  bodyCheck,
  conversationCheck,
  taskCheck,
  batchCheck,
  promptCheck,
];

/**
 * Verifies the invariants of money, limits and the audit log in one snapshot, without writing, even while a gateway
 * runs on the database. `knownHead` is a head of the audit log that was exported earlier.
 * @throws StoreFault for a file that is damaged, or that a newer version or one that is too old has written.
 */
export function examine(path: string, nowMs: number, knownHead?: AuditHead): Finding[] {
  // Read before the snapshot: a running gateway only keeps a head of data that is already on disk.
  const keptHead = readKeptHead(dirname(path));
  return runChecks(path, nowMs, [...databaseChecks, ...createChecks(keptHead, knownHead)]);
}

/** The same of a copy, whose file tells nothing of where it comes from. */
export function examineCopy(path: string, nowMs: number, knownHead?: AuditHead): Finding[] {
  return runChecks(path, nowMs, [referencesLead, ...createChecks(null, knownHead)]);
}

function runChecks(path: string, nowMs: number, checks: readonly Check[]): Finding[] {
  using database = new Database(path, { readonly: true, safeIntegers: true, strict: true });
  database.run("PRAGMA busy_timeout = 5000");
  return database.transaction(() => {
    refuseOtherVersion(database);
    const range = { from: LEDGER_START, to: readLastSeq(database) };
    return checks.map((check) => ({
      title: check.title,
      ...runSafely(check, database, nowMs, range),
    }));
  })();
}
