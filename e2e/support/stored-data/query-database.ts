import { Database } from "bun:sqlite";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { takeChangeLock, within } from "@/lib/gateway/changes/transactions.sql";
import type { Database as Queries } from "@/lib/gateway/database/database";
import { testRequest } from "@/lib/gateway/database/testing/open-temporary-database";
import { findDatabaseUrl, openPostgresQueries, openStoredData } from "../gateways/served-database";

/** A gateway of this process, which may be running. */
type Stored = { readonly dataFolder: string };

const LOCKED_MS = 10_000;
const isEmbedded = ({ dataFolder }: Stored) => findDatabaseUrl(dataFolder) === null;

/** Runs a statement, which both engines understand, on a gateway's database. */
export async function queryDatabase<Row = Record<string, unknown>>(
  { dataFolder }: Stored,
  statement: string,
): Promise<Row[]> {
  const queries = openPostgresQueries(dataFolder);
  if (queries) {
    const { rows } = await sql.raw<Row>(statement).execute(queries);
    await queries.destroy();
    return rows;
  }
  using database = openFile(dataFolder);
  return database.query<Row, []>(statement).all();
}

/** Changes a gateway's data directly, with an audit event as the triggers require. */
export async function writeBeside(
  { dataFolder }: Stored,
  work: (queries: Queries) => Promise<void>,
): Promise<void> {
  const { transactions, close } = await openStoredData(dataFolder);
  await transactions.run(testRequest.event, (transaction) => work(within(transaction)));
  await close();
}

/** Takes a trigger away that guards a table, as somebody does who forges its rows. */
export async function dropTrigger(gateway: Stored, trigger: string, table: string): Promise<void> {
  await queryDatabase(gateway, `DROP TRIGGER ${trigger}${isEmbedded(gateway) ? "" : ` ON ${table}`}`);
}

/** Keeps all others from writing to a gateway's database. @returns what lets them. */
export async function lockDatabase({ dataFolder }: Stored): Promise<() => Promise<void>> {
  const queries = openPostgresQueries(dataFolder);
  if (queries) {
    const locked = await queries.startTransaction().execute();
    await takeChangeLock(locked);
    await sql`SELECT FROM book FOR UPDATE`.execute(locked);
    return async () => {
      await locked.rollback().execute();
      await queries.destroy();
    };
  }
  const database = openFile(dataFolder);
  database.run("BEGIN IMMEDIATE");
  return async () => database.close();
}

/** All that a gateway has stored, to look for a text in it: its files, and every row of its database. */
export async function readStored(gateway: Stored): Promise<string> {
  const files = readdirSync(gateway.dataFolder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"));
  if (isEmbedded(gateway)) return files.join("\n");
  const tables = await queryDatabase<{ name: string }>(
    gateway,
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'",
  );
  for (const { name } of tables) {
    const rows = await queryDatabase(gateway, `SELECT * FROM ${name}`);
    files.push(...rows.map((row) => Object.values(row).map(String).join("\n")));
  }
  return files.join("\n");
}

function openFile(dataFolder: string): Database {
  const database = new Database(join(dataFolder, "gatehouse.sqlite"));
  // The gateway may be writing something by itself.
  database.run(`PRAGMA busy_timeout = ${LOCKED_MS}`);
  return database;
}
