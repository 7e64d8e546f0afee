import { Database } from "bun:sqlite";
import type pg from "pg";
import { migrate } from "../../database/migrate";

/** Rows that are read at a time. */
const STEP = 5_000;

/** The name of a cursor, which lives in the transaction. */
const CURSOR = "gatehouse_copy";

/**
 * Copies everything from PostgreSQL into a new embedded database, whose tables are the same. The client is in a
 * transaction, whose snapshot is what is copied, and returns integers as bigint.
 */
export async function copyPostgres(client: Pick<pg.Client, "query">, path: string): Promise<void> {
  using sqlite = new Database(path, { create: true, strict: true, safeIntegers: true });
  sqlite.run("PRAGMA journal_mode = OFF");
  sqlite.run("PRAGMA synchronous = OFF");
  await migrate(sqlite);
  const triggers = sqlite
    .query<{ name: string; sql: string }, []>("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
    .all();
  // They would record the rows as changes.
  for (const { name } of triggers) sqlite.run(`DROP TRIGGER "${name}"`);
  sqlite.run("BEGIN");
  for (const table of listTables(sqlite)) await copyTable(client, sqlite, table);
  sqlite.run("COMMIT");
  for (const { sql } of triggers) sqlite.run(sql);
}

export interface CopiedTable {
  readonly name: string;
  readonly columns: readonly string[];
}

/** The tables of this version, with the columns that are stored. */
export function listTables(sqlite: Database): CopiedTable[] {
  return sqlite
    .query<{ name: string; columns: string }, []>(
      `SELECT t.name, (SELECT json_group_array(c.name) FROM pragma_table_xinfo(t.name) c WHERE c.hidden = 0) AS columns
       FROM sqlite_master t WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite%' AND t.name <> 'kysely_migration'`,
    )
    .all()
    .map(({ name, columns }) => ({ name, columns: JSON.parse(columns) as string[] }));
}

async function copyTable(
  client: Pick<pg.Client, "query">,
  sqlite: Database,
  { name, columns }: CopiedTable,
): Promise<void> {
  const list = columns.map((column) => `"${column}"`).join(", ");
  sqlite.run(`DELETE FROM "${name}"`);
  const insert = sqlite.prepare(
    `INSERT INTO "${name}" (${list}) VALUES (${columns.map(() => "?").join(", ")})`,
  );
  await client.query(`DECLARE ${CURSOR} NO SCROLL CURSOR FOR SELECT ${list} FROM "${name}"`);
  for (let isMore = true; isMore; ) {
    const { rows } = await client.query<unknown[]>({
      text: `FETCH ${STEP} FROM ${CURSOR}`,
      rowMode: "array",
    } as pg.QueryArrayConfig);
    for (const row of rows) insert.run(...(row as never[]));
    isMore = rows.length === STEP;
  }
  await client.query(`CLOSE ${CURSOR}`);
}
