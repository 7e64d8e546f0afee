import { sql } from "kysely";
import type { Migration } from "../migration";
import { migrations } from "../migrations";

/** Has this process be of a later version with one more migration, until it is disposed of. */
export function addMigration(migration: Migration): Disposable {
  migrations.push(migration);
  return {
    [Symbol.dispose]() {
      migrations.splice(migrations.indexOf(migration), 1);
    },
  };
}

/** A migration of each kind of change: an audited table's columns, its rows, and a table with more than 100 pages. */
export const testMigration: Migration = {
  name: "9000-test",
  async up(queries) {
    for (const statement of [
      "ALTER TABLE projects ADD COLUMN motto TEXT",
      "UPDATE organizations SET name = name || ' upgraded'",
      "CREATE TABLE copied_entries (id TEXT PRIMARY KEY, amount INTEGER NOT NULL) STRICT",
      "INSERT INTO copied_entries SELECT id, amount FROM ledger_entries",
      "CREATE TABLE long_rows (id INTEGER PRIMARY KEY, content BLOB NOT NULL) STRICT",
      `INSERT INTO long_rows WITH RECURSIVE ids(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM ids WHERE id < 120)
         SELECT id, zeroblob(4000) FROM ids`,
      "CREATE INDEX copied_entries_by_amount ON copied_entries(amount)",
    ])
      await sql.raw(statement).execute(queries);
  },
};
