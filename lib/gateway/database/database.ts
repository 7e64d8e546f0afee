import type { Database as BunDatabase, SQLQueryBindings } from "bun:sqlite";
import {
  CompiledQuery,
  type DatabaseConnection,
  Kysely,
  PostgresAdapter,
  type SqliteDatabase,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteDriver,
  type TransactionSettings,
} from "kysely";
import { openSqlite } from "./open-sqlite";
import { PreparedStatements } from "./prepared-statements";
import type { Tables } from "./schema";

export type Database = Kysely<Tables>;
/** A connection that can only read. */
export type Reads = Pick<Database, "selectFrom">;

/** Whether queries go to PostgreSQL, not to the embedded database. */
export function isPostgres(queries: Pick<Kysely<never>, "getExecutor">): boolean {
  return queries.getExecutor().adapter instanceof PostgresAdapter;
}

/** A read connection of its own, used while another one writes. It sees committed data. */
export function openReads(path: string): Database {
  const sqlite = openSqlite(path);
  sqlite.run("PRAGMA query_only = ON");
  return createQueryBuilder(sqlite);
}

/** Kysely over a connection, for everything but the ledger's writes. Integers are returned as numbers. */
export function createQueryBuilder(sqlite: BunDatabase): Database {
  return new Kysely<Tables>({ dialect: new ImmediateDialect({ database: createStatements(sqlite) }) });
}

/** The snapshots in use, each with what was read in it once and for all. */
const snapshots = new WeakMap<Database, Map<unknown, Promise<unknown>>>();

/** Runs reads that see one state of the database, or those of the transaction that is given. */
export function readSnapshot<Result>(
  queries: Database,
  read: (snapshot: Database) => Promise<Result>,
): Promise<Result> {
  if (queries.isTransaction) return read(queries);
  const transaction = queries.transaction().setIsolationLevel("repeatable read").setAccessMode("read only");
  return transaction.execute((snapshot) => {
    snapshots.set(snapshot, new Map());
    return read(snapshot);
  });
}

/** A read that is made once in each snapshot, and each time outside of one. */
export function oncePerSnapshot<Result>(
  read: (queries: Database) => Promise<Result>,
): (queries: Database) => Promise<Result> {
  return (queries) => {
    const known = snapshots.get(queries);
    const result = (known?.get(read) as Promise<Result> | undefined) ?? read(queries);
    known?.set(read, result);
    return result;
  };
}

/**
 * A deferred transaction fails on its first write if another connection wrote meanwhile, so each that may write takes
 * the lock at its start.
 */
class ImmediateDialect extends SqliteDialect {
  constructor(private readonly config: SqliteDialectConfig) {
    super(config);
  }

  override createDriver(): SqliteDriver {
    return new ImmediateDriver(this.config);
  }
}

class ImmediateDriver extends SqliteDriver {
  override async beginTransaction(
    connection: DatabaseConnection,
    { accessMode }: TransactionSettings = {},
  ): Promise<void> {
    await connection.executeQuery(
      CompiledQuery.raw(accessMode === "read only" ? "begin" : "begin immediate"),
    );
  }

  /** SQLite itself has rolled back after some errors, such as a full disk. They are the ones to report. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await super.rollbackTransaction(connection);
    } catch (error) {
      if (!String(error).includes("no transaction is active")) throw error;
    }
  }
}

function createStatements(sqlite: BunDatabase): SqliteDatabase {
  const statements = new PreparedStatements(sqlite);
  const bind = (parameters: readonly unknown[]) => parameters as SQLQueryBindings[];
  return {
    close() {
      sqlite.close(true);
    },
    prepare(sql) {
      const { statement, isReader } = statements.prepare(sql);
      return {
        reader: isReader,
        all: (parameters) => statement.all(...bind(parameters)),
        run: (parameters) => statement.run(...bind(parameters)),
        iterate: (parameters) => statement.iterate(...bind(parameters)) as IterableIterator<unknown>,
      };
    },
  };
}
