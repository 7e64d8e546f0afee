import { SQLiteError, type Database as Sqlite } from "bun:sqlite";
import { openSqlite } from "../database";

/**
 * A connection for the sums of calls alone. What a power loss takes of them is summed again, so their commits wait for no disk; and
 * where the ledger's writer is at work, they wait for another time.
 */
export function openSums(path: string): Sqlite {
  const sqlite = openSqlite(path);
  sqlite.run("PRAGMA synchronous = NORMAL");
  sqlite.run("PRAGMA busy_timeout = 0");
  // What is written is copied into the database by the ledger's writer, on a thread of its own.
  sqlite.run("PRAGMA wal_autocheckpoint = 0");
  return sqlite;
}

/** Whether somebody else was writing. */
export function isBusy(error: unknown): boolean {
  return error instanceof SQLiteError && (error.code ?? "").startsWith("SQLITE_BUSY");
}
