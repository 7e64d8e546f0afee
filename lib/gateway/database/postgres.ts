import {
  HandleEmptyInListsPlugin,
  Kysely,
  PostgresDialect,
  replaceWithNoncontingentExpression,
} from "kysely";
import pg from "pg";
import type { Database } from "./database";
import type { Tables } from "./schema";

/** The connections of one process that read and write settings; those that book money are their own. */
const MAX_CONNECTIONS = 10;
/** A statement on a database that doesn't answer ends after this time, and its caller gets a 503. */
const CONNECT_TIMEOUT_MS = 2_000;

const { builtins } = pg.types;
/** As in SQLite, integers and sums are numbers. What a number doesn't hold exactly is selected as text. */
const NUMBERS: readonly number[] = [builtins.INT8, builtins.NUMERIC];

const parsers: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: "text") =>
    NUMBERS.includes(oid)
      ? Number
      : pg.types.getTypeParser(oid, format)) as pg.CustomTypesConfig["getTypeParser"],
};

/** @param url of a database of PostgreSQL 15 or newer, whose locale is "C": pages are cut by ids compared as bytes. */
export function openPostgresPool(url: string, max = MAX_CONNECTIONS): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    types: parsers,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: "gatehouse",
  });
  outliveBreaks(pool);
  return pool;
}

/**
 * A connection that breaks while it is idle is replaced by the next query. Where it breaks between two statements of a
 * transaction nobody listens either: then the next statement fails, not the process.
 */
function outliveBreaks(pool: pg.Pool): void {
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
}

/** Kysely over PostgreSQL. Integers are returned as numbers. */
export function createPostgresQueries(pool: pg.Pool): Database {
  // SQLite takes an empty list for what it means; PostgreSQL refuses it.
  const plugin = new HandleEmptyInListsPlugin({ strategy: replaceWithNoncontingentExpression });
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }), plugins: [plugin] });
}

/** Integers as bigint: amounts of money are beyond what a number holds. */
export const exactIntegers: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: "text") =>
    oid === builtins.INT8
      ? BigInt
      : pg.types.getTypeParser(oid, format)) as pg.CustomTypesConfig["getTypeParser"],
};

/** A pool that returns exact integers. */
export function openExactPool(connectionString: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    max: 2,
    types: exactIntegers,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: "gatehouse holds",
  });
  outliveBreaks(pool);
  return pool;
}
