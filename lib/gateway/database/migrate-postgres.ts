import { sql } from "kysely";
import { buildPostgresAuditTriggers } from "../changes/audit/audited-tables.sql";
import { bookTables } from "../ledger/ticks/book-posting.sql";
import { procedures } from "../ledger/ticks/procedures.sql";
import type { Database } from "./database";
import { type AskPostgres, findUnfitPostgres } from "./find-unfit-postgres.sql";
import { FIRST_VERSION } from "./migrate";
import type { Migration } from "./migration";
import { migrations } from "./migrations";
import { StoreFault } from "./store-head";
import { buildTableStatements } from "./tables/postgres-statements";
import { tables, views } from "./tables/tables";

/** Of the lock under which one process after the other looks at the schema: any number that nothing else uses. */
export const MIGRATION_LOCK = 720_100;
/** What PostgreSQL has beside the tables of both engines. */
const BOOKS = "postgres-0001-books";

/**
 * Makes the tables in PostgreSQL, or migrates them to the present schema, in one transaction with the record of it.
 * Processes that start at the same time wait for the first.
 * @throws StoreFault if a newer version has written them, or Gatehouse can't use the database.
 */
export async function migratePostgres(
  database: Database,
  later: readonly Migration[] = migrations,
): Promise<void> {
  const unfit = await findUnfitPostgres(
    async <Row>(query: string) => (await sql.raw<Row>(query).execute(database)).rows,
  );
  if (unfit !== null) throw new StoreFault(unfit);
  await database.transaction().execute(async (queries) => {
    const run = (statement: string) => sql.raw(statement).execute(queries);
    await sql`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(queries);
    await run("CREATE TABLE IF NOT EXISTS kysely_migration (name text PRIMARY KEY, timestamp text NOT NULL)");
    await run(
      "ALTER TABLE kysely_migration ADD COLUMN IF NOT EXISTS adds_only boolean NOT NULL DEFAULT false",
    );
    const executed = await listExecuted(queries);
    const isOlder = refuseNewer(executed, later);
    const record = (name: string, addsOnly = false) =>
      sql`INSERT INTO kysely_migration (name, timestamp, adds_only)
        VALUES (${name}, to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), ${addsOnly})`.execute(
        queries,
      );
    if (!executed.has(FIRST_VERSION)) {
      for (const table of tables) for (const statement of buildTableStatements(table)) await run(statement);
      for (const [name, query] of Object.entries(views)) await run(`CREATE VIEW ${name} AS ${query}`);
      await record(FIRST_VERSION);
    }
    for (const { name, up, addsOnly } of later.filter((migration) => !executed.has(migration.name))) {
      await up(queries as never);
      await record(name, addsOnly);
    }
    if (!executed.has(BOOKS)) {
      for (const statement of bookTables) await run(statement);
      await record(BOOKS);
    }
    // What a newer version has created stays unchanged.
    if (isOlder) return;
    for (const statement of await listTriggersDue(queries)) await run(statement);
    for (const statement of await listProceduresDue(queries)) await run(statement);
  });
}

/** The migrations that were executed, and whether each only adds. */
async function listExecuted(queries: Database): Promise<Map<string, boolean>> {
  const { rows } = await sql<{
    name: string;
    adds_only: boolean;
  }>`SELECT name, adds_only FROM kysely_migration`.execute(queries);
  return new Map(rows.map(({ name, adds_only }) => [name, adds_only]));
}

/** Why this version can't examine a database, unless it has written it; null if it can. */
export async function findVersionFault(ask: AskPostgres): Promise<string | null> {
  const [found] = await ask<{ is_there: boolean }>(
    "SELECT to_regclass('kysely_migration') IS NOT NULL AS is_there",
  );
  if (!found?.is_there) return "No start of Gatehouse has finished on this database yet: start it first.";
  const rows = await ask<{ name: string; adds_only: string | null }>(
    "SELECT name, to_jsonb(kysely_migration)->>'adds_only' AS adds_only FROM kysely_migration",
  );
  const executed = new Set(rows.map(({ name }) => name));
  const known = listVersions(migrations);
  if (rows.some(({ name, adds_only }) => !known.includes(name) && adds_only !== "true"))
    return "The database was written by a newer version of Gatehouse: run that version's doctor.";
  if (known.some((name) => !executed.has(name)))
    return "An earlier version of Gatehouse wrote the database: start Gatehouse once, then run doctor again.";
  return null;
}

const listVersions = (later: readonly Migration[]) => [
  FIRST_VERSION,
  BOOKS,
  ...later.map(({ name }) => name),
];

/** @returns whether a newer version has written the database, beside which this one runs. @throws StoreFault */
function refuseNewer(executed: ReadonlyMap<string, boolean>, later: readonly Migration[]): boolean {
  const known = listVersions(later);
  const unknown = [...executed].filter(([name]) => !known.includes(name));
  const [breaking] = unknown.find(([, addsOnly]) => !addsOnly) ?? [];
  if (breaking === undefined) return unknown.length > 0;
  throw new StoreFault(
    `The database was written by a newer version of Gatehouse, which added "${breaking}": start that version.`,
  );
}

/** The statements that make the audit triggers which are missing or of another form. */
export async function listTriggersDue(queries: Database): Promise<string[]> {
  const [columns, functions] = await Promise.all([
    // `information_schema.columns` says the same in three times the time.
    sql<{ name: string; columns: string[] }>`SELECT relname AS name,
        array_agg(attname::text ORDER BY attnum) AS columns
      FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
      WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'v', 'f')
        AND attnum > 0 AND NOT attisdropped GROUP BY relname`.execute(queries),
    sql<{ name: string; body: string }>`SELECT proname AS name, prosrc AS body FROM pg_proc
      WHERE pronamespace = current_schema()::regnamespace`.execute(queries),
  ]);
  const bodies = new Map(functions.rows.map(({ name, body }) => [name, body]));
  return columns.rows
    .flatMap((table) => buildPostgresAuditTriggers(table.name, table.columns))
    .filter(({ name, body }) => bodies.get(name) !== body)
    .flatMap(({ statements }) => statements);
}

/** The procedures that are missing or of another form. */
export async function listProceduresDue(queries: Database): Promise<string[]> {
  const { rows } = await sql<{
    name: string;
    body: string;
  }>`SELECT proname AS name, prosrc AS body FROM pg_proc
    WHERE pronamespace = current_schema()::regnamespace`.execute(queries);
  const bodies = new Map(rows.map(({ name, body }) => [name, body]));
  return Object.entries(procedures)
    .filter(([name, statement]) => !statement.includes(`$$${bodies.get(name)}$$`))
    .map(([, statement]) => statement);
}
