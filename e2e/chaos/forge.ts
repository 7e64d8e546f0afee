import { type Database, SQLiteError } from "bun:sqlite";
import { auditedTables } from "@/lib/gateway/changes/audit/audited-tables.sql";
import type { SeededRandom } from "@/lib/gateway/simulation/seeded-random";

type Value = string | number | null;

/** Tables that doctor checks in addition to the audited ones. */
const VOUCHED_FOR = ["ledger_entries", "accounts", "audit_logs"];
/** Columns that identify rows: an invented row gets values of its own. */
const KEYS = ["id", "seq", "name", "email", "hash", "account_id", "user_id"];

/**
 * Columns of each audited table that are not forged: those that change through use, and secrets that no digest covers.
 */
const auditedColumnsToSpare: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(auditedTables).flatMap(([name, how]) =>
    how
      ? [[name, [...(how.quiet ?? []), ...(how.secret ?? []).filter((one) => !how.digest?.includes(one))]]]
      : [],
  ),
);
/** The receipt details of a charge are deleted after their days, so the chain of the ledger does not cover it. */
const columnsToSpare: Readonly<Record<string, readonly string[]>> = {
  ...auditedColumnsToSpare,
  ledger_entries: ["trace"],
};

/**
 * Changes, removes or invents a random row, around all triggers and constraints.
 * @returns a description.
 */
export function forge(database: Database, random: SeededRandom): string {
  // The database is a temporary copy, so nothing needs to wait for the disk.
  database.run("PRAGMA synchronous = OFF");
  database.run("PRAGMA ignore_check_constraints = ON");
  database.run("PRAGMA foreign_keys = OFF");
  const triggers = database
    .query<{ name: string; sql: string }, []>("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
    .all();
  const attempt = database.transaction(() => {
    for (const { name } of triggers) database.run(`DROP TRIGGER ${name}`);
    const done = forgeRow(database, random);
    for (const { sql } of triggers) database.run(sql);
    return done;
  });
  for (;;) {
    try {
      return attempt();
    } catch (error) {
      // SQLite still refuses duplicate keys; try another row.
      if (!(error instanceof SQLiteError && error.code?.startsWith("SQLITE_CONSTRAINT"))) throw error;
    }
  }
}

function forgeRow(database: Database, random: SeededRandom): string {
  const tables = [...Object.keys(auditedColumnsToSpare), ...VOUCHED_FOR].filter(
    (name) => countRows(database, name) > 0,
  );
  const table = pick(tables, random);
  const row = random.between(0, countRows(database, table) - 1);
  const key = readKeyColumns(database, table);
  const where = `WHERE (${key}) IN (SELECT ${key} FROM ${table} LIMIT 1 OFFSET ${row})`;
  switch (random.pick(["change", "remove", "invent"] as const)) {
    case "change": {
      const column = pick(readColumns(database, table), random);
      changeValue(database, table, column, where);
      return `${column} of row ${row} of ${table} was changed`;
    }
    case "remove":
      database.run(`DELETE FROM ${table} ${where}`);
      return `row ${row} of ${table} was removed`;
    case "invent":
      invent(database, table, where);
      return `a row like ${row} of ${table} was invented`;
  }
}

/** The columns of a table's primary key; not every table has a row id. */
function readKeyColumns(database: Database, table: string): string {
  const columns = database
    .query<{ name: string }, []>(`SELECT name FROM pragma_table_info('${table}') WHERE pk > 0 ORDER BY pk`)
    .all();
  return columns.map(({ name }) => name).join(", ") || "rowid";
}

function readColumns(database: Database, table: string): string[] {
  const spared = columnsToSpare[table] ?? [];
  return readNames(database, table).filter((name) => !spared.includes(name));
}

function readNames(database: Database, table: string): string[] {
  return database
    .query<{ name: string }, []>(`SELECT name FROM pragma_table_info('${table}')`)
    .all()
    .map(({ name }) => name);
}

function changeValue(database: Database, table: string, column: string, where: string): void {
  const { value } = database
    .query<{ value: Value | Uint8Array }, []>(`SELECT ${column} AS value FROM ${table} ${where}`)
    .get() ?? { value: null };
  const changed =
    typeof value === "number"
      ? value + 1
      : value instanceof Uint8Array
        ? value.map((byte) => byte ^ 1)
        : another(database, table, column, value);
  database.query(`UPDATE ${table} SET ${column} = ? ${where}`).run(changed);
}

/** A different text; for null, a value of the column's type. */
function another(
  database: Database,
  table: string,
  column: string,
  value: string | null,
): Value | Uint8Array {
  if (value !== null) return `${value}0`;
  const type = database
    .query<{ type: string }, [string]>(`SELECT type FROM pragma_table_info('${table}') WHERE name = ?`)
    .get(column)?.type;
  if (type === "BLOB") return new Uint8Array(32);
  return type === "INTEGER" ? 1 : "0";
}

function invent(database: Database, table: string, where: string): void {
  const types = new Map(
    database
      .query<{ name: string; type: string; pk: number }, []>(
        `SELECT name, type, pk FROM pragma_table_info('${table}')`,
      )
      .all()
      .map((column) => [column.name, column]),
  );
  const values = [...types].map(([name, { type, pk }]) => {
    if (!KEYS.includes(name) && pk === 0) return name;
    if (type === "INTEGER") return `(SELECT max(${name}) + 1 FROM ${table})`;
    return type === "TEXT" ? `${name} || '0'` : name;
  });
  database.run(
    `INSERT INTO ${table} (${[...types.keys()].join(", ")}) SELECT ${values.join(", ")} FROM ${table} ${where}`,
  );
}

function countRows(database: Database, table: string): number {
  return database.query<{ rows: number }, []>(`SELECT count(*) AS rows FROM ${table}`).get()?.rows ?? 0;
}

function pick(names: readonly string[], random: SeededRandom): string {
  const name = names[random.between(0, names.length - 1)];
  if (name === undefined) throw new RangeError("Nothing to pick from");
  return name;
}
