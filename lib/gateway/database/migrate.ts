import { SQLiteError, type Database as Sqlite } from "bun:sqlite";
import { AuditTrail } from "../changes/audit/audit-trail.sql";
import { installTriggers, listMissingTriggers } from "../changes/audit/audited-tables.sql";
import { createQueryBuilder } from "./database";
import type { Migration } from "./migration";
import { migrations } from "./migrations";
import { StoreFault } from "./store-head";
import { buildTableStatements } from "./tables/sqlite-statements";
import { tables, views } from "./tables/tables";

/** What is recorded of a database whose tables are those of `tables/`. */
export const FIRST_VERSION = "0100-schema";
/** Databases from before the first version have the same tables if all of these many migrations made them. */
const EARLIER = { pattern: /^00\d\d-/, migrations: 64, lastCommit: "fefd1546" };

const RECORD = "CREATE TABLE kysely_migration (name TEXT PRIMARY KEY NOT NULL, timestamp TEXT NOT NULL)";

/**
 * Makes the tables, or migrates them to the present schema, in one transaction with the record of it: a start that is
 * ended meanwhile has changed nothing. In a transaction SQLite ignores `PRAGMA foreign_keys`, so no migration sets it.
 * @throws StoreFault if a newer version has written them, or one that is too old.
 */
export async function migrate(sqlite: Sqlite, later: readonly Migration[] = migrations): Promise<void> {
  refuseOtherVersion(sqlite, later);
  // A start must not wait for a lock unless there is something to write.
  if (listDue(sqlite, later).length === 0 && listMissingTriggers(sqlite).length === 0) return;
  await createQueryBuilder(sqlite)
    .transaction()
    .execute(async (queries) => {
      // Another process may have migrated while this one waited for the lock.
      refuseOtherVersion(sqlite, later);
      if (isEmpty(sqlite)) createTables(sqlite);
      else if (!listExecuted(sqlite).includes(FIRST_VERSION)) recordFirstVersion(sqlite);
      await runMigrations(sqlite, queries as never, later);
      installTriggers(sqlite);
    });
}

function createTables(sqlite: Sqlite): void {
  for (const table of tables) {
    for (const statement of buildTableStatements(table)) sqlite.run(statement);
  }
  for (const [name, query] of Object.entries(views)) sqlite.run(`CREATE VIEW ${name} AS ${query}`);
  sqlite.run(RECORD);
  record(sqlite, FIRST_VERSION);
}

/** A database that all earlier migrations have made goes on as it is. */
function recordFirstVersion(sqlite: Sqlite): void {
  sqlite.run("DELETE FROM kysely_migration");
  record(sqlite, FIRST_VERSION);
}

async function runMigrations(sqlite: Sqlite, queries: never, later: readonly Migration[]): Promise<void> {
  const trail = new AuditTrail(sqlite);
  const executed = new Set(listExecuted(sqlite));
  for (const { name, up } of later.filter((migration) => !executed.has(migration.name))) {
    await up(queries).catch((error: unknown) => {
      throw describeFailure(error, name);
    });
    // The rows that a migration changes are recorded as an event of the gateway itself.
    trail.log(null);
    record(sqlite, name);
  }
}

function record(sqlite: Sqlite, name: string): void {
  sqlite
    .query("INSERT INTO kysely_migration (name, timestamp) VALUES (?, strftime('%Y-%m-%dT%H:%M:%fZ'))")
    .run(name);
}

/** A statement that doesn't fit the tables, which somebody has changed by hand. */
function describeFailure(error: unknown, migration: string): unknown {
  if (!(error instanceof SQLiteError) || error.code !== "SQLITE_ERROR") return error;
  return new StoreFault(
    `The database can't be upgraded ("${migration}": ${error.message}), since its tables are not those that Gatehouse made. Nothing was changed: put a backup in its place.`,
  );
}

/**
 * @throws StoreFault if a newer version has written a database, whose ledger this one would call altered, or one that
 * is too old.
 */
export function refuseOtherVersion(sqlite: Sqlite, later: readonly Migration[] = migrations): void {
  const known = new Set([FIRST_VERSION, ...later.map(({ name }) => name)]);
  const unknown = listExecuted(sqlite).find((name) => !known.has(name) && !EARLIER.pattern.test(name));
  if (unknown !== undefined) {
    throw new StoreFault(
      `The database was written by a newer version of Gatehouse, which added "${unknown}": start that version, or put a backup from before in its place.`,
    );
  }
  const fault = findTooOld(sqlite);
  if (fault) throw fault;
}

/** Null unless the migrations that would upgrade a database are no longer part of Gatehouse. */
export function findTooOld(sqlite: Sqlite): StoreFault | null {
  const executed = listExecuted(sqlite);
  if (isEmpty(sqlite) || executed.includes(FIRST_VERSION) || executed.length === EARLIER.migrations)
    return null;
  return new StoreFault(
    `The database was written by an early version of Gatehouse, which this one can't upgrade: start Gatehouse of commit ${EARLIER.lastCommit} on it once, then this version.`,
  );
}

/** A fault if no start has finished on a database yet: it has no organization, project or entry in its ledger. */
export function findUnfinishedStart(sqlite: Sqlite): StoreFault | null {
  const filled = ["organizations", "projects", "ledger_entries"].some(
    (table) => hasTable(sqlite, table) && sqlite.query(`SELECT 1 FROM ${table} LIMIT 1`).get() !== null,
  );
  if (filled) return null;
  return new StoreFault("No start of Gatehouse has finished on this database yet: start it first.");
}

/** Whether an earlier version has written a database, which the next start of this one migrates. */
export function isOfEarlierVersion(sqlite: Sqlite): boolean {
  return listDue(sqlite, migrations).length > 0;
}

/** The versions that a database is not at yet. */
function listDue(sqlite: Sqlite, later: readonly Migration[]): string[] {
  const executed = new Set(listExecuted(sqlite));
  return [FIRST_VERSION, ...later.map(({ name }) => name)].filter((name) => !executed.has(name));
}

function listExecuted(sqlite: Sqlite): string[] {
  if (!hasTable(sqlite, "kysely_migration")) return [];
  const rows = sqlite.query<{ name: string }, []>("SELECT name FROM kysely_migration ORDER BY name").all();
  return rows.map(({ name }) => name);
}

function isEmpty(sqlite: Sqlite): boolean {
  return sqlite.query("SELECT 1 FROM sqlite_master LIMIT 1").get() === null;
}

function hasTable(sqlite: Sqlite, name: string): boolean {
  return sqlite.query("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?").get(name) !== null;
}
