import type { Column, ColumnMeaning } from "./columns";
import type { Table, TableCheck, Trigger } from "./table";

const TYPES: Readonly<Record<ColumnMeaning, string>> = {
  text: "TEXT",
  json: "TEXT",
  integer: "INTEGER",
  time: "INTEGER",
  nano: "INTEGER",
  boolean: "INTEGER",
  real: "REAL",
  blob: "BLOB",
};

/** The statements that make a table in SQLite, with its indexes, its triggers and its first rows. */
export function buildTableStatements(table: Table): string[] {
  const { name, indexes = {}, triggers = {}, rows = [] } = table;
  return [
    buildTable(table),
    ...Object.entries(indexes).map(
      ([index, { on, where, unique }]) =>
        `CREATE ${unique ? "UNIQUE " : ""}INDEX ${index} ON ${name} (${on})${where ? ` WHERE ${where}` : ""}`,
    ),
    ...Object.entries(triggers).map(([trigger, how]) => buildTrigger(trigger, name, how)),
    ...rows.map(
      (row) =>
        `INSERT INTO ${name} (${Object.keys(row).join(", ")}) VALUES (${Object.values(row).map(quote).join(", ")})`,
    ),
  ];
}

/** `STRICT` refuses values of another type than the column's. */
function buildTable({ name, columns, primaryKey, unique = [], checks = [], withoutRowid }: Table): string {
  const lines = [
    ...Object.entries(columns).map(([column, how]) => `${column} ${buildColumn(how)}`),
    ...(primaryKey ? [`PRIMARY KEY (${primaryKey.join(", ")})`] : []),
    ...unique.map((key) => `UNIQUE (${key.join(", ")})`),
    ...checks.map(buildCheck),
  ];
  return `CREATE TABLE ${name} (\n  ${lines.join(",\n  ")}\n) STRICT${withoutRowid ? ", WITHOUT ROWID" : ""}`;
}

function buildColumn({ facts }: Column): string {
  const { references } = facts;
  const words = [
    TYPES[facts.meaning],
    facts.isPrimaryKey && "PRIMARY KEY",
    // A primary key is never null in strict tables.
    !facts.isNullable && !facts.isPrimaryKey && "NOT NULL",
    facts.isUnique && "UNIQUE",
    facts.defaultValue !== undefined && `DEFAULT ${quote(facts.defaultValue)}`,
    facts.generatedAs && `AS (${facts.generatedAs})`,
    facts.check && `CHECK (${facts.check})`,
    references && `REFERENCES ${references.table}(${references.column})`,
    references?.how === "cascade" && "ON DELETE CASCADE",
    references?.how === "deferred" && "DEFERRABLE INITIALLY DEFERRED",
  ];
  return words.filter(Boolean).join(" ");
}

function buildCheck(check: TableCheck): string {
  return typeof check === "string" ? `CHECK (${check})` : `CONSTRAINT ${check.name} CHECK (${check.check})`;
}

export function buildTrigger(name: string, table: string, how: Trigger): string {
  const when = how.when ? `\n  WHEN ${how.when}` : "";
  const body = "refuse" in how ? `SELECT RAISE(ABORT, ${quote(how.refuse)});` : how.run;
  return `CREATE TRIGGER ${name} ${how.on} ON ${table}${when}\n  BEGIN ${body} END`;
}

function quote(value: string | number): string {
  return typeof value === "number" ? String(value) : `'${value.replaceAll("'", "''")}'`;
}
