import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Database, migrate, openDatabase, openSqlite } from "./database";
import { claimStore } from "./store-guard";

/** For tests: the real store, migrated, in a folder of its own that goes when the test ends (`await using`). */
export async function openTemporaryDatabase() {
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-store-"));
  const path = join(folder, "gatehouse.sqlite");
  let database: Database = openDatabase(path);
  await migrate(database);
  return {
    path,
    get database() {
      return database;
    },
    /** Takes the database for a writer thread. */
    claim() {
      using sqlite = openSqlite(path);
      return claimStore(sqlite, path, "this process");
    },
    /** Closes the database and opens it again, as a restart does. */
    async reopen() {
      await database.destroy();
      database = openDatabase(path);
      return database;
    },
    async [Symbol.asyncDispose]() {
      await database.destroy();
      rmSync(folder, { recursive: true });
    },
  };
}
