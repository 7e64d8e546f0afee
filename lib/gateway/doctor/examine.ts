import { Database } from "bun:sqlite";
import type { AuditHead } from "@/lib/gateway/audit/audit-head";
import { auditCheck } from "./audit-check";
import { callChecks } from "./call-checks";
import { databaseChecks } from "./database-checks";
import { ledgerChecks } from "./ledger-checks";
import { limitCheck } from "./limit-check";

/** What one check found. */
export interface Finding {
  readonly title: string;
  readonly looked: string;
  readonly faults: readonly string[];
}

const checksOf = (known?: AuditHead) => [
  ...databaseChecks,
  ...ledgerChecks,
  ...callChecks,
  auditCheck(known),
  limitCheck,
];

/**
 * Verifies the invariants of money, limits and the audit log on a database, whether or not a gateway is running on it, all in one
 * snapshot and without writing. `known` is a head of the audit log that was exported earlier.
 */
export function examine(path: string, nowMs: number, known?: AuditHead): Finding[] {
  using database = new Database(path, { readonly: true, safeIntegers: true, strict: true });
  database.run("PRAGMA busy_timeout = 5000");
  return database.transaction(() =>
    checksOf(known).map(({ title, run }) => ({ title, ...run(database, nowMs) })),
  )();
}
