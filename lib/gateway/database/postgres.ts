import {
  HandleEmptyInListsPlugin,
  Kysely,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
  replaceWithNoncontingentExpression,
} from "kysely";
import pg from "pg";
import { storeUnavailable } from "../refusal";
import type { Database } from "./database";
import type { Tables } from "./schema";
import { watchedClient } from "./watched-client";

/** The connections of one process that read and write settings; those that book money are their own. */
const MAX_CONNECTIONS = 10;
/** Whoever waits longer for a connection gets a 503. */
const CONNECT_TIMEOUT_MS = 2_000;
/** A gateway that dies or is cut off in a unit of work keeps its lock from all others for no longer. */
const IDLE_IN_TRANSACTION_MS = 10_000;

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
    Client: watchedClient(url),
    max,
    types: parsers,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
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

/**
 * What PostgreSQL says while it can't answer: connections, resources such as a full disk, its stop and start, read-only
 * standbys, locks that are held too long, and failures of the machine (SQLSTATE).
 */
const AWAY_STATE = /^(08|53|57|58|25006|55P03)/;
/** Messages of PostgreSQL's client. Other connection errors have a system code, such as ECONNREFUSED. */
const AWAY_WORDS =
  /^(timeout exceeded when trying to connect|timeout expired|Connection terminated|Client (has encountered a connection error|was closed))/;

const isAway = (error: unknown) =>
  error instanceof Error &&
  (AWAY_WORDS.test(error.message) ||
    ("code" in error && /^(E[A-Z_]{4,}$)/.test(String(error.code))) ||
    (error instanceof pg.DatabaseError && AWAY_STATE.test(error.code ?? "")));

function refuseWhileAway(error: unknown): never {
  throw isAway(error) ? Object.assign(storeUnavailable(), { cause: error }) : error;
}

/** Connections whose statements are refused with a 503 while the database can't answer. */
function refusing(pool: pg.Pool): PostgresPool {
  return {
    end: () => pool.end(),
    async connect() {
      const client = await pool.connect().catch(refuseWhileAway);
      return {
        query: ((query: string, values: unknown[]) =>
          client.query(query, values).catch(refuseWhileAway)) as unknown as PostgresPoolClient["query"],
        release: () => client.release(),
      };
    },
  };
}

/** Kysely over PostgreSQL. Integers are returned as numbers. */
export function createPostgresQueries(pool: pg.Pool): Database {
  // SQLite takes an empty list for what it means; PostgreSQL refuses it.
  const plugin = new HandleEmptyInListsPlugin({ strategy: replaceWithNoncontingentExpression });
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool: refusing(pool) }), plugins: [plugin] });
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
    Client: watchedClient(connectionString),
    max: 2,
    types: exactIntegers,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: "gatehouse holds",
  });
  outliveBreaks(pool);
  return pool;
}
