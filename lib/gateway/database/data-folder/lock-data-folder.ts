import { Database, SQLiteError } from "bun:sqlite";
import { closeSync, existsSync, openSync } from "node:fs";
import { join } from "node:path";
import { describeStoreFault } from "../store-head";

/** Another gateway uses the data folder. */
export class DataFolderInUse extends Error {}

/**
 * Locks the data folder for this process: limits and balance are kept in memory, so each folder has one gateway. The
 * operating system releases the lock when the process ends in any way.
 * @throws DataFolderInUse while another process holds it.
 */
export function lockDataFolder(folder: string): { release(): void } {
  const path = join(folder, "lock");
  // An existing file is not opened, since closing it would release the lock of another gateway in this process.
  if (!existsSync(path)) closeSync(openSync(path, "a", 0o600));
  const lock = openLock(path);
  try {
    lock.run("BEGIN EXCLUSIVE");
  } catch (error) {
    lock.close();
    if (error instanceof SQLiteError && error.code === "SQLITE_BUSY") {
      throw new DataFolderInUse(
        `Another gateway uses ${folder}: stop it, or set GATEHOUSE_DATA to another folder.`,
      );
    }
    throw describeStoreFault(error, path);
  }
  return { release: () => lock.close() };
}

function openLock(path: string): Database {
  try {
    return new Database(path);
  } catch (error) {
    throw describeStoreFault(error, path);
  }
}
