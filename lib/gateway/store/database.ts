import { Database as BunDatabase, type SQLQueryBindings } from "bun:sqlite";
import { Kysely, Migrator, SqliteDialect } from "kysely";
import { auditContext } from "../audit/audit-context";
import { AuditTrail } from "./audit-trail";
import { auditTables } from "./audited-tables";
import * as foundation from "./migrations/0001-foundation";
import * as people from "./migrations/0002-people";
import * as adminObjects from "./migrations/0003-admin-objects";
import * as spendLimits from "./migrations/0004-spend-limits";
import * as spendAlerts from "./migrations/0005-spend-alerts";
import * as auditLog from "./migrations/0006-audit-log";
import * as keptCalls from "./migrations/0007-kept-calls";
import * as alertDeliveries from "./migrations/0008-alert-deliveries";
import * as signIn from "./migrations/0009-sign-in";
import * as callBounds from "./migrations/0010-call-bounds";
import * as signInSafety from "./migrations/0011-sign-in-safety";
import * as refusalCounts from "./migrations/0012-refusal-counts";
import * as listIndexes from "./migrations/0013-list-indexes";
import * as keptAnswers from "./migrations/0014-kept-answers";
import * as storeEvidence from "./migrations/0016-store-evidence";
import * as holdOwners from "./migrations/0017-hold-owners";
import * as claims from "./migrations/0018-claims";
import * as refusalFacts from "./migrations/0020-refusal-facts";
import type { Tables } from "./schema";
import { StoreFault } from "./store-fault";

export type Database = Kysely<Tables>;
/** What reads and can't write. */
export type Reads = Pick<Database, "selectFrom">;

const migrations = {
  "0001-foundation": foundation,
  "0002-people": people,
  "0003-admin-objects": adminObjects,
  "0004-spend-limits": spendLimits,
  "0005-spend-alerts": spendAlerts,
  "0006-audit-log": auditLog,
  "0007-kept-calls": keptCalls,
  "0008-alert-deliveries": alertDeliveries,
  "0009-sign-in": signIn,
  "0010-call-bounds": callBounds,
  "0011-sign-in-safety": signInSafety,
  "0012-refusal-counts": refusalCounts,
  "0013-list-indexes": listIndexes,
  "0014-kept-answers": keptAnswers,
  "0016-store-evidence": storeEvidence,
  "0017-hold-owners": holdOwners,
  "0018-claims": claims,
  "0020-refusal-facts": refusalFacts,
};

/** A write that is missed here is refused by the database, having no event. */
const CHANGES = /^\s*(insert|update|delete|replace)\b/i;

/** Opens a connection with the settings every connection to the embedded database has. `:memory:` is refused: each would be its own. */
export function openSqlite(path: string, options: { safeIntegers?: boolean } = {}): BunDatabase {
  if (path === ":memory:") throw new RangeError("The gateway's connections must share one file");
  const sqlite = new BunDatabase(path, { create: true, strict: true, ...options });
  // First: switching to WAL itself has to wait for a connection that is just closing.
  sqlite.run("PRAGMA busy_timeout = 5000");
  sqlite.run("PRAGMA journal_mode = WAL");
  sqlite.run("PRAGMA synchronous = FULL");
  sqlite.run("PRAGMA foreign_keys = ON");
  return sqlite;
}

/** A connection of its own to read by, while another one writes: it sees what is committed. */
export function openReads(path: string): Database {
  const sqlite = openSqlite(path);
  sqlite.run("PRAGMA query_only = ON");
  return queryBuilderOf(sqlite);
}

export function openDatabase(path: string): Database {
  return queryBuilderOf(openSqlite(path));
}

/**
 * Kysely over a connection, for everything but the ledger's writes. Integers come as numbers. What a transaction changes, or
 * a write that stands alone, is committed together with its audit event; not where `guard` throws.
 */
export function queryBuilderOf(sqlite: BunDatabase, guard?: () => void): Database {
  const trail = new AuditTrail(sqlite);
  return new Kysely<Tables>({
    dialect: new SqliteDialect({
      database: {
        close: () => sqlite.close(),
        prepare: (sql) => {
          // A deferred transaction that upgrades to a write fails at once where another connection wrote: take the lock first.
          const statement = sqlite.prepare(sql === "begin" ? "begin immediate" : sql).safeIntegers(false);
          const bind = (parameters: readonly unknown[]) => parameters as SQLQueryBindings[];
          const write = <Result>(execute: () => Result) => {
            if (sql === "commit") {
              guard?.();
              trail.log(auditContext());
            }
            if (sqlite.inTransaction || !CHANGES.test(sql)) return execute();
            return sqlite
              .transaction(() => {
                guard?.();
                const result = execute();
                trail.log(auditContext());
                return result;
              })
              .immediate();
          };
          return {
            reader: statement.columnNames.length > 0,
            all: (parameters) => write(() => statement.all(...bind(parameters))),
            run: (parameters) => write(() => statement.run(...bind(parameters))),
            iterate: (parameters) => statement.iterate(...bind(parameters)) as IterableIterator<unknown>,
          };
        },
      },
    }),
  });
}

const UNKNOWN_MIGRATION = /previously executed migration (\S+) is missing/;

/**
 * Brings the tables up to date. @throws StoreFault where a newer version has written them, else the first migration's error; the
 * failed migration leaves nothing behind.
 */
export async function migrate(database: Database): Promise<void> {
  const migrator = new Migrator({ db: database, provider: { getMigrations: async () => migrations } });
  const { error } = await migrator.migrateToLatest();
  const [, unknown] = UNKNOWN_MIGRATION.exec(String(error)) ?? [];
  if (unknown)
    throw new StoreFault(
      `The database was written by a newer version of Gatehouse, which added "${unknown}": start that version, or put a backup from before in its place.`,
    );
  if (error) throw error;
  await auditTables(database);
}
