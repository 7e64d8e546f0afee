import { Database } from "bun:sqlite";
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

const checks = [...databaseChecks, ...ledgerChecks, ...callChecks, auditCheck, limitCheck];

/**
 * Verifies the invariants of money, limits and the audit log on a database, whether or not a gateway is running on it, all in one
 * snapshot and without writing.
 */
export function examine(path: string, nowMs: number): Finding[] {
  using database = new Database(path, { readonly: true, safeIntegers: true, strict: true });
  database.run("PRAGMA busy_timeout = 5000");
  return database.transaction(() => checks.map(({ title, run }) => ({ title, ...run(database, nowMs) })))();
}
