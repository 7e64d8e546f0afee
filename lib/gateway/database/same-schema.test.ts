import { expect, test } from "bun:test";
import { type Kysely, sql } from "kysely";
import type { Database } from "./database";
import { openTemporarySqlite } from "./testing/open-temporary-database";
import { openTemporaryPostgres } from "./testing/open-temporary-postgres";

interface Key {
  readonly table: string;
  readonly columns: string;
}

/** A connection to each engine, with the product's tables. */
async function openBoth() {
  const sqlite = await openTemporarySqlite();
  const postgres = await openTemporaryPostgres();
  const open = postgres.open();
  return {
    sqlite: sqlite.reads,
    postgres: open.reads,
    async [Symbol.asyncDispose]() {
      await open.close();
      await postgres.remove();
      await sqlite[Symbol.asyncDispose]();
    },
  };
}

const list = async <Row>(database: Database, query: string) =>
  (await sql.raw<Row>(query).execute(database as unknown as Kysely<unknown>)).rows;

/** Each column of a table, and whether it may be null: an integer key of SQLite never is, though it isn't said. */
const SQLITE_COLUMNS = `SELECT t.name || '.' || c.name || (CASE WHEN c."notnull" = 0 AND c.pk = 0 THEN ' null' ELSE '' END)
    AS name FROM sqlite_master t JOIN pragma_table_xinfo(t.name) c WHERE t.type = 'table' AND t.name NOT LIKE 'kysely%'`;
const POSTGRES_COLUMNS = `SELECT table_name || '.' || column_name || CASE is_nullable WHEN 'YES' THEN ' null' ELSE '' END AS name
  FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
  WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND table_name NOT LIKE 'kysely%'`;

/** PostgreSQL keeps here what the other engine has in its accounts and in memory, and shows the accounts as a view. */
const OWN = ["accounts", "book", "spend", "windows", "minute_slots", "day_slots"];
const isShared = (table: string) => !OWN.includes(table.replace(/[. ].*$/, ""));

/** The columns of primary keys and unique constraints, and of foreign keys with what they refer to. */
const SQLITE_KEYS = `SELECT t.name AS "table", (SELECT group_concat(name) FROM pragma_index_info(i.name)) AS columns
    FROM sqlite_master t JOIN pragma_index_list(t.name) i WHERE t.type = 'table' AND i.origin IN ('pk', 'u')
  UNION ALL SELECT t.name, c.name FROM sqlite_master t JOIN pragma_table_info(t.name) c
    WHERE t.type = 'table' AND c.pk = 1 AND c.type = 'INTEGER'
      AND (SELECT count(*) FROM pragma_table_info(t.name) WHERE pk > 0) = 1
  UNION ALL SELECT t.name, f."from" || '>' || f."table" || '.' || f."to"
    FROM sqlite_master t JOIN pragma_foreign_key_list(t.name) f WHERE t.type = 'table'`;
const POSTGRES_KEYS = `SELECT conrelid::regclass::text AS "table", (
      SELECT string_agg(attname, ',' ORDER BY position) FROM unnest(conkey) WITH ORDINALITY AS key(number, position)
      JOIN pg_attribute ON attrelid = conrelid AND attnum = number
    ) || CASE contype WHEN 'f' THEN '>' || confrelid::regclass || '.' || (
      SELECT attname FROM pg_attribute WHERE attrelid = confrelid AND attnum = confkey[1]) ELSE '' END AS columns
  FROM pg_constraint WHERE contype IN ('p', 'u', 'f') AND connamespace = 'public'::regnamespace`;

const describeKeys = (keys: Key[]) =>
  keys
    .filter(({ table }) => !table.startsWith("kysely_") && isShared(table))
    .map(({ table, columns }) => `${table} (${columns})`)
    .toSorted();

test("both engines have the same tables, columns, keys, indexes and triggers", async () => {
  await using databases = await openBoth();
  const { sqlite, postgres } = databases;
  const names = (rows: { name: string }[]) =>
    rows
      .map(({ name }) => name)
      .filter(isShared)
      .toSorted();
  expect(names(await list(postgres, POSTGRES_COLUMNS))).toEqual(names(await list(sqlite, SQLITE_COLUMNS)));
  expect(describeKeys(await list<Key>(postgres, POSTGRES_KEYS))).toEqual(
    describeKeys(await list<Key>(sqlite, SQLITE_KEYS)),
  );
  expect(
    names(
      await list(
        postgres,
        `SELECT indexname AS name FROM pg_indexes WHERE schemaname = 'public' AND indexname NOT IN (
          SELECT conname FROM pg_constraint)`,
      ),
    ),
  ).toEqual(
    names(await list(sqlite, "SELECT name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL")),
  );
  expect(names(await list(postgres, "SELECT tgname AS name FROM pg_trigger WHERE NOT tgisinternal"))).toEqual(
    names(await list(sqlite, "SELECT name FROM sqlite_master WHERE type = 'trigger'")),
  );
});
