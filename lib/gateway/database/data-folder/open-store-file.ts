import { Database, SQLiteError } from "bun:sqlite";
import { chmodSync, closeSync, existsSync, mkdirSync, openSync, statSync } from "node:fs";
import { join } from "node:path";
import { openSqlite } from "../open-sqlite";
import { describeStoreFault, findKeptHead, findLoss, StoreFault, storeHeadPath } from "../store-head";

const DATABASE_FILE = "gatehouse.sqlite";
/** The database with its log and index, and the lock file with its journal. */
const PRIVATE_FILES = [DATABASE_FILE, `${DATABASE_FILE}-wal`, `${DATABASE_FILE}-shm`, "lock", "lock-journal"];
const OWNER_ONLY = 0o600;

export function buildDatabasePath(dataFolder: string): string {
  return join(dataFolder, DATABASE_FILE);
}

/**
 * Opens the data folder's database, readable by its owner only. Creates it if the folder was never used.
 * @throws StoreFault if the database is missing although the folder was used, or is unreadable.
 */
export function openStoreFile(dataFolder: string): Database {
  mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
  const path = buildDatabasePath(dataFolder);
  const isThere = (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0;
  if (!isThere && findKeptHead(dataFolder)) {
    throw new StoreFault(
      `${path} is missing or empty, and this folder was used before: put a backup in its place. To begin anew with nothing, delete ${storeHeadPath(dataFolder)}.`,
    );
  }
  // SQLite would create it readable by others. Its log and its index get the permissions of this file.
  if (!isThere) closeSync(openSync(path, "a", OWNER_ONLY));
  try {
    const sqlite = openSqlite(path);
    closeToOthers(dataFolder);
    return sqlite;
  } catch (error) {
    throw describeStoreFault(error, path);
  }
}

/** @throws StoreFault if the database lacks data that was on disk before. */
export function refuseOlderStore(sqlite: Database, dataFolder: string): void {
  const keptHead = findKeptHead(dataFolder);
  const loss = keptHead && findLoss(sqlite, keptHead);
  if (!loss) return;
  throw new StoreFault(
    `${buildDatabasePath(dataFolder)} is not what it was: ${loss}. Put a newer backup in its place. To go on with it as it is, delete ${storeHeadPath(dataFolder)}.`,
  );
}

/** Restricts files that an earlier version or a user created. Files of another user stay as they are. */
function closeToOthers(dataFolder: string): void {
  for (const name of PRIVATE_FILES) {
    try {
      chmodSync(join(dataFolder, name), OWNER_ONLY);
    } catch {
      // Missing, or owned by another user.
    }
  }
}

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
