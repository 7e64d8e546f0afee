import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Database, migrate, openDatabase } from "./database";

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
