import { SQLiteError, type Database as Sqlite } from "bun:sqlite";
import { openSqlite } from "../../database/open-sqlite";

/**
 * A connection for the sums of calls only. A power loss may undo sums, which are then computed again, so commits don't
 * wait for the disk. While the ledger's writer is busy, they wait for the next time.
 */
export function openSums(path: string): Sqlite {
  const sqlite = openSqlite(path);
  sqlite.run("PRAGMA synchronous = NORMAL");
  sqlite.run("PRAGMA busy_timeout = 0");
  // The ledger's writer folds this connection's log into the database, on its own thread.
  sqlite.run("PRAGMA wal_autocheckpoint = 0");
  return sqlite;
}

/** Whether another connection was writing. */
export function isBusy(error: unknown): boolean {
  return error instanceof SQLiteError && (error.code ?? "").startsWith("SQLITE_BUSY");
}
