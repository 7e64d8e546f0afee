import { Database } from "bun:sqlite";
import { dirname } from "node:path";
import type { AuditHead } from "@/lib/gateway/audit/audit-head";
import { LEDGER_START } from "@/lib/gateway/store/ledger-writer/ledger-checkpoint";
import { findKeptHead, type StoreHead } from "@/lib/gateway/store/store-head";
import { readLastEntrySeq } from "../store/ledger-reads/read-last-entry-seq";
import { auditCheck } from "./audit-check";
import { auditedRowsCheck } from "./audited-rows-check";
import { batchCheck } from "./batch-check";
import { bodyCheck } from "./body-check";
import { callChecks } from "./call-checks";
import { chainCheck } from "./chain-check";
import { conversationCheck } from "./conversation-check";
import { correctionCheck } from "./correction-check";
import { databaseChecks } from "./database-checks";
import { dimensionCheck } from "./dimension-check";
import { holdChecks } from "./hold-checks";
import { ledgerChecks } from "./ledger-checks";
import { limitCheck } from "./limit-check";
import { promptCheck } from "./prompt-check";
import { runSafely } from "./run-safely";
import { statementCheck } from "./statement-check";
import { sumChecks } from "./sum-checks";
import { taskCheck } from "./task-check";

/** The result of one check. */
export interface Finding {
  readonly title: string;
  readonly checked: string;
  readonly faults: readonly string[];
}

const createChecks = (keptHead: StoreHead | null, knownHead?: AuditHead) => [
  ...databaseChecks,
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
 */
export function examine(path: string, nowMs: number, knownHead?: AuditHead): Finding[] {
  // Read before the snapshot: a running gateway only keeps a head of data that is already on disk.
  const keptHead = findKeptHead(dirname(path));
  using database = new Database(path, { readonly: true, safeIntegers: true, strict: true });
  database.run("PRAGMA busy_timeout = 5000");
  return database.transaction(() => {
    const range = { from: LEDGER_START, to: BigInt(readLastEntrySeq(database)) };
    return createChecks(keptHead, knownHead).map((check) => ({
      title: check.title,
      ...runSafely(check, database, nowMs, range),
    }));
  })();
}
