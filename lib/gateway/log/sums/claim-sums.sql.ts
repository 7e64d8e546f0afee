import { SQLiteError } from "bun:sqlite";
import type { Database } from "../../database/database";
import { isPostgres } from "../../database/database";
import { sql } from "../../database/fragment";

/** Of the lock under which one process at a time writes sums: a number that nothing else uses. */
const SUMS_LOCK = 720_102;

/** Another process writes sums. */
class SumsClaimed extends Error {}

/**
 * Makes this transaction the only writer of sums. SQLite has only one writer anyway.
 * @throws SumsClaimed if another process writes sums: it sums the remaining calls, or the next run does.
 */
export async function claimSums(transaction: Database): Promise<void> {
  if (!isPostgres(transaction)) return;
  const { rows } = await sql<{ is_mine: boolean }>`
    SELECT pg_try_advisory_xact_lock(${SUMS_LOCK}) AS is_mine`.execute(transaction);
  if (!rows[0]?.is_mine) throw new SumsClaimed("Another process sums calls");
}

/** Whether another connection was writing. */
export function isBusy(error: unknown): boolean {
  if (error instanceof SQLiteError) return (error.code ?? "").startsWith("SQLITE_BUSY");
  return error instanceof SumsClaimed;
}
