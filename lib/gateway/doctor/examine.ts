import { Database } from "bun:sqlite";
import { dirname } from "node:path";
import type { AuditHead } from "../changes/audit/audit-chain.sql";
import { refuseOtherVersion } from "../database/migrate";
import { LEDGER_START } from "../ledger/writer/ledger-checkpoint.sql";
import { auditCheck } from "./checks/audit-check";
import { auditedRowsCheck } from "./checks/audited-rows-check";
import { batchCheck } from "./checks/batch-check";
import { bodyCheck } from "./checks/body-check";
import { callChecks } from "./checks/call-checks";
import { chainCheck, type KeptHead, readKeptHead } from "./checks/chain-check";
import { type Check, readLastSeq } from "./checks/check";
import { conversationCheck } from "./checks/conversation-check";
import { correctionCheck } from "./checks/correction-check";
import { databaseChecks, referencesLead } from "./checks/database-checks";
import { dimensionCheck } from "./checks/dimension-check";
import { holdChecks } from "./checks/hold-checks";
import { ledgerChecks } from "./checks/ledger-checks";
import { limitCheck } from "./checks/limit-check";
import { promptCheck } from "./checks/prompt-check";
import { runSafely } from "./checks/run-safely";
import { statementCheck } from "./checks/statement-check";
import { sumChecks } from "./checks/sum-checks";
import { taskCheck } from "./checks/task-check";

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
