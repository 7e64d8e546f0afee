import { Database } from "bun:sqlite";

/**
 * Opens a connection with the settings of every connection to the embedded database. Rejects `:memory:`, since each
 * connection would get its own database. Close it with `close(true)`: otherwise it stays open, and with it the log,
 * until the last of its statements is collected.
 */
export function openSqlite(path: string, options: { safeIntegers?: boolean } = {}): Database {
  if (path === ":memory:") throw new RangeError("The gateway's connections must share one file");
  const sqlite = new Database(path, { create: true, strict: true, ...options });
  // Set first, since switching to WAL may have to wait for a connection that is just closing.
  sqlite.run("PRAGMA busy_timeout = 5000");
  sqlite.run("PRAGMA journal_mode = WAL");
  sqlite.run("PRAGMA synchronous = FULL");
  sqlite.run("PRAGMA foreign_keys = ON");
  return sqlite;
}
